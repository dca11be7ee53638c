// Nodes of one tenant among those nearest to a vector over all tenants, best first.
// This line cannot filter inside the index: `reach` is a multiple of what is asked for, and the caller turns to
// nearest_exact when the answer is short. The state comes along, as there.
// stand-ins: Episode is the label, embedding is the vector, true is the filter
// params: tenant, vector, reach, limit, names, moments
// returns: id, values, times, score, state
// mode: read
CYPHER 5
CALL db.index.vector.queryNodes('graphmem_Episode_embedding', $reach, $vector) YIELD node, score
WITH node, score
WHERE node.tenant = $tenant AND true
WITH node, score
ORDER BY score DESC, node.id
LIMIT $limit
MATCH (store:GraphmemStore {id: 'store'})
WITH store {.*} AS state, node.id AS id, properties(node) AS held, score
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       2 * score - 1 AS score,
       state
