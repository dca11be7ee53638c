// Which symptom came from which cause within one episode, and how often the cause was fixed there.
// params: tenant, limit
// returns: effect, cause, episodes, fixed, success, failure
// mode: read
CYPHER 5
MATCH (episode:Episode {tenant: $tenant, state: 'closed'})-[:HAS_FINDING]->(effect:Finding)-[:CAUSED_BY]->(cause:Finding)
WITH effect.key AS effect, cause.key AS cause, episode, EXISTS { (:Step)-[:FIXED]->(cause) } AS fixed
RETURN effect, cause,
       count(episode) AS episodes,
       count(CASE WHEN fixed THEN 1 END) AS fixed,
       count(CASE episode.outcome WHEN 'success' THEN 1 END) AS success,
       count(CASE episode.outcome WHEN 'failure' THEN 1 END) AS failure
ORDER BY episodes DESC, effect, cause
LIMIT $limit
