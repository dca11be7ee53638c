// Makes the node that holds a tenant's lock and version.
// It stands alone, in a transaction of its own: writers that each made it within theirs would deadlock.
// params: tenant
// returns: version
// mode: write
CYPHER 5
MERGE (owner:GraphmemTenant {tenant: $tenant})
  ON CREATE SET owner.version = 0
RETURN owner.version AS version
