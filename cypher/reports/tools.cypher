// Tools by the closed episodes that used them: how often, how often without effect, and how these ended.
// A tool that goes with failures need not be their reason: see the patterns for tested claims.
// params: tenant, limit
// returns: tool, episodes, steps, ineffective, success, failure
// mode: read
CYPHER 5
MATCH (episode:Episode {tenant: $tenant, state: 'closed'})-[:HAS_STEP]->(step:Step)-[:USED]->(tool:Tool)
WITH tool, episode, count(step) AS steps, count(CASE WHEN NOT step.effective THEN 1 END) AS ineffective
RETURN tool.key AS tool,
       count(episode) AS episodes,
       sum(steps) AS steps,
       sum(ineffective) AS ineffective,
       count(CASE episode.outcome WHEN 'success' THEN 1 END) AS success,
       count(CASE episode.outcome WHEN 'failure' THEN 1 END) AS failure
ORDER BY episodes DESC, tool
LIMIT $limit
