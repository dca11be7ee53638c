// A page of the nodes that have a property, by it falling, ties by id; the filter says where the page begins.
// The tenant stands first in the order, so that an index of tenant and property gives it without sorting all nodes.
// stand-ins: Episode is the label, started_at is the order, true is the filter
// params: tenant, limit, names, moments, slot
// returns: id, values, times, vector
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.started_at IS NOT NULL AND true
WITH node
ORDER BY node.tenant DESC, node.started_at DESC, node.id
LIMIT $limit
WITH node.id AS id, properties(node) AS held
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       held[$slot] AS vector
