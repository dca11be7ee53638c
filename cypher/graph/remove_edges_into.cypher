// Removes edges by type and ends, beginning at their targets: for sources that share few of them.
// stand-ins: Message is the source, IN_SESSION is the type, Session is the target
// params: tenant, rows
// returns: removed
// mode: write
CYPHER 5
UNWIND $rows AS row
MATCH (source:Message {tenant: $tenant, id: row[0]})-[edge:IN_SESSION]->(target:Session {tenant: $tenant, id: row[1]})
USING INDEX target:Session(tenant, id)
DELETE edge
RETURN count(*) AS removed
