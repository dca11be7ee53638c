// Writes edges at nodes that the same transaction made, where none can be yet; `found` counts those whose two ends exist.
// stand-ins: Message is the source, IN_SESSION is the type, Session is the target
// params: tenant, times, shapes, rows
// returns: found
// mode: write
CYPHER 5
WITH [time IN $times | datetime({epochSeconds: time[0], microsecond: time[1]})] AS times
WITH [shape IN $shapes | shape {.*, tenant: $tenant, created_at: times[shape.created_at], at: times[shape.at]}] AS shapes
UNWIND $rows AS row
MATCH (source:Message {tenant: $tenant, id: row[0]})
MATCH (target:Session {tenant: $tenant, id: row[1]})
CREATE (source)-[edge:IN_SESSION]->(target)
SET edge = shapes[row[2]]
RETURN count(*) AS found
