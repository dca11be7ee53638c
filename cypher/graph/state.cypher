// What the store is: its schema, the embedder whose vectors it holds and the one it may be moving to.
// No row where nothing was ever written. A read of it creates nothing.
// params: none
// returns: state
// mode: read
CYPHER 5
MATCH (store:GraphmemStore {id: 'store'})
RETURN store {.*} AS state
