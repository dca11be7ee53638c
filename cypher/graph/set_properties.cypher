// Sets some properties of nodes, null removes one; the content hash stays.
// Words are counted before and after, since a search index may hold them.
// stand-ins: Episode is the label
// params: tenant, times, rows
// returns: found, documents, words
// mode: write
CYPHER 5
WITH [time IN $times | datetime({epochSeconds: time[0], microsecond: time[1]})] AS times
UNWIND $rows AS row
MATCH (node:Episode {tenant: $tenant, id: row.id})
WITH times, row, node, coalesce(size(split(node.search_text, ' ')), 0) AS before
SET node += row.properties
FOREACH (moment IN row.moments | SET node[moment[0]] = times[moment[1]])
WITH before, coalesce(size(split(node.search_text, ' ')), 0) AS after
RETURN count(*) AS found, sum(sign(after) - sign(before)) AS documents, sum(after - before) AS words
