// The concepts that most episodes speak of, after consolidation.
// params: tenant, limit
// returns: concept, kind, episodes, mentions
// mode: read
CYPHER 5
MATCH (episode:Episode {tenant: $tenant})-[mention:MENTIONS]->(concept:Concept)
WHERE episode.id IS NOT NULL
RETURN concept.key AS concept,
       concept.kind AS kind,
       count(mention) AS episodes,
       sum(mention.count) AS mentions
ORDER BY episodes DESC, concept, kind
LIMIT $limit
