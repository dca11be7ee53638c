// Removes some nodes of a label of one tenant with all their edges; run until it removes none.
// stand-ins: Episode is the label
// params: tenant, limit
// returns: removed
// mode: write
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.id IS NOT NULL
WITH node
LIMIT $limit
DETACH DELETE node
RETURN count(*) AS removed
