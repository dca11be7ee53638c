// Sets a tenant's counts of documents and words back; its version only ever rises.
// params: tenant, names
// returns: version
// mode: write
CYPHER 5
MATCH (owner:GraphmemTenant {tenant: $tenant})
FOREACH (name IN $names | SET owner[name] = null)
WITH owner, owner.version + 1 AS next
SET owner.version = next
RETURN owner.version AS version
