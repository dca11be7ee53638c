// Writes edges at nodes that the same transaction made, where none can be yet: rows of one source each with its targets.
// `found` counts those whose two ends exist.
// stand-ins: Message is the source, IN_SESSION is the type, Session is the target
// params: tenant, times, shapes, rows
// returns: found
// mode: write
CYPHER 5
WITH [time IN $times | datetime({epochSeconds: time[0], microsecond: time[1]})] AS times
WITH [shape IN $shapes | shape {.*, tenant: $tenant, created_at: times[shape.created_at], at: times[shape.at]}] AS shapes
UNWIND $rows AS row
MATCH (source:Message {tenant: $tenant, id: row[0]})
WITH source, row[2] AS others, shapes[row[1]] AS shape
UNWIND others AS other
MATCH (target:Session {tenant: $tenant, id: other})
CREATE (source)-[edge:IN_SESSION]->(target)
SET edge = shape
RETURN count(*) AS found
