// Puts the second set of vectors in the place of the first, at once, and tells every tenant's readers.
// params: state
// returns: tenants
// mode: write
CYPHER 5
MATCH (store:GraphmemStore {id: 'store'})
SET store += $state
WITH store
OPTIONAL MATCH (owner:GraphmemTenant)
SET owner.version = owner.version + 1
RETURN count(owner) AS tenants
