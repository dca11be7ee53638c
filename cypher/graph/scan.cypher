// A page of nodes by id, read along the index of ids: a page costs the same wherever it begins.
// The hint matters: only an index orders texts by code point when they are compared with a parameter.
// stand-ins: Episode is the label, true is the filter
// params: tenant, after, limit, names, moments, slot
// returns: id, values, times, vector
// mode: read
CYPHER 5
MATCH (node:Episode)
USING INDEX node:Episode(tenant, id)
WHERE node.tenant = $tenant AND node.id > $after AND true
WITH node
ORDER BY node.tenant, node.id
LIMIT $limit
WITH node.id AS id, properties(node) AS held
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       held[$slot] AS vector
