// Sets a tenant's counts of documents and words.
// params: tenant, counts
// returns: version
// mode: write
CYPHER 5
MERGE (owner:GraphmemTenant {tenant: $tenant})
SET owner.version = coalesce(owner.version, 0) + 1
SET owner += $counts
RETURN owner.version AS version
