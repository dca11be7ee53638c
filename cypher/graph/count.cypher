// How many nodes of a label match.
// stand-ins: Episode is the label, true is the filter
// params: tenant
// returns: nodes
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.id IS NOT NULL AND true
RETURN count(*) AS nodes
