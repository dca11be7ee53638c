// Sets what the store is; null removes a property. Everything else of it stays.
// params: state
// returns: state
// mode: write
CYPHER 5
MERGE (store:GraphmemStore {id: 'store'})
SET store += $state
RETURN store {.*} AS state
