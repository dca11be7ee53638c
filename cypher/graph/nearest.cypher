// Nodes of one tenant nearest to a vector, best first; the filter holds inside the index.
// Filtering afterwards loses answers: a small tenant got none of ten. Scores of the index are (1 + cosine) / 2.
// stand-ins: Episode is the label, embedding is the vector, $tenant is the filter
// params: tenant, vector, limit, names, moments
// returns: id, values, times, score
// mode: read
CYPHER 25
MATCH (node:Episode)
  SEARCH node IN (
    VECTOR INDEX graphmem_Episode_embedding
    FOR $vector
    WHERE node.tenant = $tenant
    LIMIT $limit
  ) SCORE AS score
WITH node.id AS id, properties(node) AS held, score
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       2 * score - 1 AS score
