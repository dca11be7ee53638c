// Causal chains that end in a symptom, from the farthest cause, at most `depth` links and never more than 5.
// level `episode`: all of it happened within single episodes, so many as evidence says.
// level `concept`: put together from CAUSES between concepts; evidence and confidence are those of its weakest link.
// params: tenant, depth, limit
// returns: chain, links, level, evidence, confidence
// mode: read
CYPHER 5
CALL () {
  MATCH (episode:Episode {tenant: $tenant, state: 'closed'})-[:HAS_FINDING]->(symptom:Finding {kind: 'symptom'})
  MATCH path = (symptom)-[:CAUSED_BY*1..5]->(:Finding)
  WHERE length(path) <= $depth
  WITH [finding IN reverse(nodes(path)) | finding.key] AS keys, episode
  RETURN keys, 'episode' AS level, count(DISTINCT episode) AS evidence, null AS confidence
  UNION ALL
  MATCH (:Finding {tenant: $tenant, kind: 'symptom'})-[:INSTANCE_OF]->(symptom:Concept)
  WITH DISTINCT symptom
  MATCH path = (:Concept)-[:CAUSES*1..5]->(symptom)
  WHERE length(path) <= $depth
    AND all(one IN nodes(path) WHERE single(other IN nodes(path) WHERE other = one))
  UNWIND relationships(path) AS link
  RETURN [concept IN nodes(path) | concept.key] AS keys,
         'concept' AS level,
         min(coalesce(link.evidence_count, 0)) AS evidence,
         min(coalesce(link.confidence, 1.0)) AS confidence
}
RETURN reduce(chain = head(keys), key IN tail(keys) | chain + ' → ' + key) AS chain,
       size(keys) - 1 AS links, level, evidence, confidence
ORDER BY evidence DESC, links DESC, chain, level, confidence
LIMIT $limit
