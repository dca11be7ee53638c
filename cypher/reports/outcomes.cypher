// How closed episodes ended, by domain.
// success_rate is a share of the known outcomes, and null where none is known.
// params: tenant
// returns: domain, episodes, success, partial, failure, unknown, success_rate
// mode: read
CYPHER 5
MATCH (episode:Episode {tenant: $tenant, state: 'closed'})
WITH coalesce(episode.domain, '') AS domain,
     count(*) AS episodes,
     count(CASE episode.outcome WHEN 'success' THEN 1 END) AS success,
     count(CASE episode.outcome WHEN 'partial' THEN 1 END) AS partial,
     count(CASE episode.outcome WHEN 'failure' THEN 1 END) AS failure,
     count(CASE episode.outcome WHEN 'unknown' THEN 1 END) AS unknown
RETURN domain, episodes, success, partial, failure, unknown,
       CASE WHEN episodes > unknown THEN toFloat(success) / (episodes - unknown) END AS success_rate
ORDER BY episodes DESC, domain
