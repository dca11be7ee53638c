// A number that grows with every write of a tenant.
// params: tenant
// returns: version
// mode: read
CYPHER 5
MATCH (owner:GraphmemTenant {tenant: $tenant})
RETURN owner.version AS version
