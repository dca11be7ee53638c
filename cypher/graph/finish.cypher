// Ends a write of one tenant: counts it, and its documents and words by label.
// Readers keep what they counted while the version stands.
// params: tenant, counts
// returns: version
// mode: write
CYPHER 5
MATCH (owner:GraphmemTenant {tenant: $tenant})
SET owner.version = owner.version + 1
FOREACH (count IN $counts | SET owner[count[0]] = coalesce(owner[count[0]], 0) + count[1])
RETURN owner.version AS version
