// A page of nodes by id where the filter names few of them: they are found first, then sorted.
// stand-ins: Episode is the label, true is the filter
// params: tenant, limit, names, moments, slot
// returns: id, values, times, vector
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.id IS NOT NULL AND true
WITH node
ORDER BY node.id
LIMIT $limit
WITH node.id AS id, properties(node) AS held
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       held[$slot] AS vector
