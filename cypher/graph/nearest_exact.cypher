// Nodes of one tenant nearest to a vector, best first, every one of them compared: about 10 microseconds a node.
// stand-ins: Episode is the label, embedding is the vector, true is the filter
// The state comes along: vectors may have been switched since the caller saw it.
// params: tenant, vector, limit, names, moments
// returns: id, values, times, score, state
// mode: read
CYPHER 5
MATCH (store:GraphmemStore {id: 'store'})
MATCH (node:Episode {tenant: $tenant})
WHERE node.id IS NOT NULL AND node.embedding IS NOT NULL AND true
WITH store, node, vector.similarity.cosine(node.embedding, $vector) AS score
ORDER BY score DESC, node.id
LIMIT $limit
WITH store {.*} AS state, node.id AS id, properties(node) AS held, score
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       2 * score - 1 AS score,
       state
