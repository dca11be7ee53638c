// Writes edges, unique by type and ends; one that is there with the same properties is left alone.
// `found` counts the rows whose two ends exist.
// stand-ins: Message is the source, IN_SESSION is the type, Session is the target
// params: tenant, times, shapes, rows
// returns: found, changed
// mode: write
CYPHER 5
WITH [time IN $times | datetime({epochSeconds: time[0], microsecond: time[1]})] AS times
WITH [shape IN $shapes | shape {.*, tenant: $tenant, created_at: times[shape.created_at], at: times[shape.at]}] AS shapes
UNWIND $rows AS row
MATCH (source:Message {tenant: $tenant, id: row[0]})
MATCH (target:Session {tenant: $tenant, id: row[1]})
MERGE (source)-[edge:IN_SESSION]->(target)
WITH edge, shapes[row[2]] AS shape
WITH edge, shape, all(name IN keys(shape) + keys(edge) WHERE coalesce(edge[name] = shape[name], shape[name] IS NULL AND edge[name] IS NULL)) AS same
CALL (edge, shape, same) {
  WITH *
  WHERE NOT same
  SET edge = shape
}
RETURN count(*) AS found, count(CASE WHEN NOT same THEN 1 END) AS changed
