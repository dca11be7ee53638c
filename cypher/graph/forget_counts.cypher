// Sets a tenant's counts of documents and words back; its version only ever rises.
// params: tenant, names
// returns: version
// mode: write
CYPHER 5
MATCH (owner:GraphmemTenant {tenant: $tenant})
FOREACH (name IN $names | SET owner[name] = null)
SET owner.version = owner.version + 1
RETURN owner.version AS version
