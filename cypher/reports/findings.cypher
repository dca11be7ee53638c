// Symptoms and causes by the closed episodes that ran into them, and how these ended.
// params: tenant, limit
// returns: finding, kind, episodes, success, failure
// mode: read
CYPHER 5
MATCH (episode:Episode {tenant: $tenant, state: 'closed'})-[:HAS_FINDING]->(finding:Finding)
RETURN finding.key AS finding,
       finding.kind AS kind,
       count(episode) AS episodes,
       count(CASE episode.outcome WHEN 'success' THEN 1 END) AS success,
       count(CASE episode.outcome WHEN 'failure' THEN 1 END) AS failure
ORDER BY episodes DESC, finding, kind
LIMIT $limit
