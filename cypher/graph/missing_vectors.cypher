// Nodes without a vector in a property, by id.
// stand-ins: Episode is the label, embedding is the vector
// params: tenant, after, limit, names, moments, slot
// returns: id, values, times, vector
// mode: read
CYPHER 5
MATCH (node:Episode)
USING INDEX node:Episode(tenant, id)
WHERE node.tenant = $tenant AND node.id > $after AND node.embedding IS NULL
WITH node
ORDER BY node.tenant, node.id
LIMIT $limit
WITH node.id AS id, properties(node) AS held
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       held[$slot] AS vector
