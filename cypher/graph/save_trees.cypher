// Writes roots with the nodes they own and the edges of both, when the root is absent or a placeholder.
// What is there already is left alone: the answer names its content hash. MERGE locks the root, so two
// writers agree; all below it is created, which costs far less than a MERGE for each.
// Edges name their ends by place: among the root (0) and its own nodes, or among the shared nodes, which
// are looked up once for all rows. Times come as places in a list for the same reason: they are read once.
// Where a shared node is missing nothing is written and `seen` is 0.
// stand-ins: Episode is the label
// params: tenant, slot, targets, shared, times, rows
// returns: seen, there
// mode: write
CYPHER 5
CALL () {
  UNWIND $targets.Tool AS target
  MATCH (node:Tool {tenant: $tenant, id: target[1]})
  RETURN target[0] AS place, node
UNION ALL
  UNWIND $targets.Concept AS target
  MATCH (node:Concept {tenant: $tenant, id: target[1]})
  RETURN target[0] AS place, node
UNION ALL
  UNWIND $targets.Session AS target
  MATCH (node:Session {tenant: $tenant, id: target[1]})
  RETURN target[0] AS place, node
UNION ALL
  UNWIND $targets.Message AS target
  MATCH (node:Message {tenant: $tenant, id: target[1]})
  RETURN target[0] AS place, node
}
WITH place, node
ORDER BY place
WITH collect(node) AS shared
WHERE size(shared) = $shared
WITH shared, [time IN $times | datetime({epochSeconds: time[0], microsecond: time[1]})] AS times
UNWIND $rows AS row
MERGE (root:Episode {tenant: $tenant, id: row.id})
WITH shared, times, row, root, root.content_hash AS stored, size(split(root.search_text, ' ')) AS words
CALL (shared, times, row, root, stored) {
  WITH *
  WHERE stored IS NULL OR stored = '' AND row.properties.content_hash <> ''
  WITH *, row.properties AS given, coalesce(row.vector, root[$slot]) AS vector
  SET root = given {
    .*, created_at: times[given.created_at], started_at: times[given.started_at], ended_at: times[given.ended_at]
  }
  WITH *
  CALL (root, vector) {
    WITH *
    WHERE vector IS NOT NULL
    CALL db.create.setNodeVectorProperty(root, $slot, vector)
  }
  CALL (times, row, root) {
    UNWIND row.nodes AS owned
    WITH owned[0] AS label, owned[1] AS given, times
    CREATE (node:$(label))
    SET node = given {.*, created_at: times[given.created_at], at: times[given.at]}
    RETURN collect(node) AS nodes
  }
  WITH shared, row, [root] + nodes AS ends,
       [shape IN row.shapes | shape {.*, created_at: times[shape.created_at]}] AS shapes
  CALL (row, ends, shapes) {
    UNWIND row.inner AS given
    WITH given[0] AS type, ends[given[1]] AS source, ends[given[2]] AS target, shapes[given[3]] AS shape
    CREATE (source)-[edge:$(type)]->(target)
    SET edge = shape
  }
  CALL (row, ends, shapes, shared) {
    UNWIND row.outer AS given
    WITH given[0] AS type, ends[given[1]] AS source, shared[given[2]] AS target, shapes[given[3]] AS shape
    CREATE (source)-[edge:$(type)]->(target)
    SET edge = shape
  }
}
RETURN count(*) AS seen, collect(CASE WHEN stored IS NOT NULL THEN [row.id, stored, words] END) AS there
