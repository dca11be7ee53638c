// Begins a write of one tenant: takes its lock and answers with the state of the store.
// The lock makes the tenant's writers queue here, so that they can neither deadlock nor lose an update; it
// must be taken before the version is read. No row where the database has no store yet, no version where the
// tenant is new.
// params: tenant
// returns: state, version
// mode: write
CYPHER 5
MATCH (store:GraphmemStore {id: 'store'})
OPTIONAL MATCH (owner:GraphmemTenant {tenant: $tenant})
SET owner.locked = true
RETURN store {.*} AS state, owner.version AS version
