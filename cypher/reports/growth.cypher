// What was recorded each day: episodes, messages, memories and concepts.
// Days on which nothing was recorded have no row; days are UTC.
// params: tenant, now, days
// returns: day, episodes, messages, memories, concepts
// mode: read
CYPHER 5
MATCH (n:Episode|Message|Memory|Concept {tenant: $tenant})
WHERE n.id IS NOT NULL AND n.created_at > $now - duration({days: $days}) AND n.created_at <= $now
WITH date(n.created_at) AS day, labels(n)[0] AS label
RETURN toString(day) AS day,
       count(CASE label WHEN 'Episode' THEN 1 END) AS episodes,
       count(CASE label WHEN 'Message' THEN 1 END) AS messages,
       count(CASE label WHEN 'Memory' THEN 1 END) AS memories,
       count(CASE label WHEN 'Concept' THEN 1 END) AS concepts
ORDER BY day
