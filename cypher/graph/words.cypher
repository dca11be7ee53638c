// A tenant's version with its documents and words by label.
// params: tenant
// returns: owner
// mode: read
CYPHER 5
MATCH (owner:GraphmemTenant {tenant: $tenant})
RETURN owner {.*} AS owner
