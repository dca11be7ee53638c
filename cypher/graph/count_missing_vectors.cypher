// How many nodes of a label, over all tenants, have no vector in a property.
// stand-ins: Episode is the label, embedding is the vector
// params: none
// returns: nodes
// mode: read
CYPHER 5
MATCH (node:Episode)
WHERE node.tenant IS NOT NULL AND node.embedding IS NULL
RETURN count(*) AS nodes
