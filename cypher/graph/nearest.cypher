// Nodes of one tenant nearest to a vector, best first; the filter holds inside the index.
// Filtering afterwards loses answers: a small tenant got none of ten. Scores of the index are (1 + cosine) / 2.
// `reach` is more than is asked for: the index finds the best more surely when it is asked for many, and `worst`, the
// score at which `hits` ended, tells whether nodes with the last one's score were cut off.
// stand-ins: Episode is the label, embedding is the vector, $tenant is the filter
// params: tenant, vector, reach, limit, names, moments
// returns: id, values, times, score, hits, worst
// mode: read
CYPHER 25
MATCH (node:Episode)
  SEARCH node IN (
    VECTOR INDEX graphmem_Episode_embedding
    FOR $vector
    WHERE node.tenant = $tenant
    LIMIT $reach
  ) SCORE AS score
WITH node, score
ORDER BY score DESC, node.id
WITH collect({node: node, score: score}) AS found
WITH found, size(found) AS hits, 2 * found[-1].score - 1 AS worst
UNWIND found[..$limit] AS one
WITH one.node.id AS id, properties(one.node) AS held, 2 * one.score - 1 AS score, hits, worst
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       score, hits, worst
