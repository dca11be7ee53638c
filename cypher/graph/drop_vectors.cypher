// Removes some vectors of a set that is no longer used; run until it removes none.
// stand-ins: Episode is the label, embedding is the vector
// params: limit
// returns: removed
// mode: write
CYPHER 5
MATCH (node:Episode)
WHERE node.embedding IS NOT NULL
WITH node
LIMIT $limit
REMOVE node.embedding
RETURN count(*) AS removed
