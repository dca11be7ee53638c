// How many nodes of a label a tenant has, counted no further than a limit.
// stand-ins: Episode is the label
// params: tenant, limit
// returns: nodes
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.id IS NOT NULL
WITH node
LIMIT $limit
RETURN count(*) AS nodes
