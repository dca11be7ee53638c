// Ends a write of one tenant: counts it, and its documents and words by label.
// Readers keep what they counted while the version stands. The lock is held since the beginning; a version that
// was set from itself in one clause would take a second one, and deadlock with the writer who waits for the first.
// params: tenant, counts
// returns: version
// mode: write
CYPHER 5
MATCH (owner:GraphmemTenant {tenant: $tenant})
WITH owner, owner.version + 1 AS next
SET owner.version = next
FOREACH (count IN $counts | SET owner[count[0]] = coalesce(owner[count[0]], 0) + count[1])
RETURN owner.version AS version
