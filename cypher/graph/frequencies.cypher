// How many documents each query of a full-text index finds, counted no further than a limit.
// params: counts, limit
// returns: place, documents
// mode: read
CYPHER 5
UNWIND $counts AS count
CALL db.index.fulltext.queryNodes(count[1], count[2], {limit: $limit}) YIELD node
RETURN count[0] AS place, count(node) AS documents
