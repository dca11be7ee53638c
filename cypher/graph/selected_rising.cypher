// A page of the few nodes that a filter finds, by a property rising, ties by id.
// stand-ins: Episode is the label, started_at is the order, true is the filter
// params: tenant, limit, names, moments, slot
// returns: id, values, times, vector
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.started_at IS NOT NULL AND true
WITH node
ORDER BY node.started_at, node.id
LIMIT $limit
WITH node.id AS id, properties(node) AS held
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       held[$slot] AS vector
