// Writes episodes with the nodes they own and the edges of both, when the root is absent or a placeholder.
// What is there already is left alone: the answer names its content hash. MERGE locks the root, so two
// writers agree; all below it is created, which costs far less than a MERGE for each.
// Owned nodes come as values in the order of the schema, since names would be sent and read for each of them;
// a property without a value is null and is not stored. Edges come by type and properties, as places of their ends
// in turn: the root, its steps, its findings, or the shared nodes, which are looked up once for all rows. Times are
// read once, and named by place.
// Where a shared node is missing nothing is written and `seen` is 0.
// params: tenant, slot, names, targets, shared, times, rows
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
WITH shared, times, row, root, size(split(root.search_text, ' ')) AS words,
     CASE WHEN root.content_hash IS NULL AND size(keys(root)) > 2 THEN '' ELSE root.content_hash END AS stored
CALL (shared, times, row, root, stored) {
  WITH *
  WHERE stored IS NULL OR stored = '' AND row.hash <> ''
  FOREACH (name IN CASE WHEN stored IS NULL THEN [] ELSE $names END | SET root[name] = null)
  WITH *, row.properties AS given
  SET root += given {
    .*, created_at: times[given.created_at], started_at: times[given.started_at], ended_at: times[given.ended_at]
  }
  WITH *
  CALL (root, row) {
    WITH *
    WHERE row.vector IS NOT NULL
    CALL db.create.setNodeVectorProperty(root, $slot, row.vector)
  }
  CALL (times, row) {
    UNWIND row.steps AS own
    CREATE (step:Step {
      tenant: $tenant, id: own[0], user_id: own[1], created_at: times[own[2]],
      content_hash: own[3], episode: own[4], index: own[5], key: own[6], concept_key: own[7],
      action: own[8], reasoning: own[9], result: own[10], effective: own[11], at: times[own[12]],
      tools: own[13], concepts: own[14], errors: own[15], fixes: own[16], after: own[17],
      arguments: own[18], extra: own[19]
    })
    RETURN collect(step) AS steps
  }
  CALL (times, row) {
    UNWIND row.findings AS own
    CREATE (finding:Finding {
      tenant: $tenant, id: own[0], user_id: own[1], created_at: times[own[2]],
      content_hash: own[3], episode: own[4], key: own[5], concept_key: own[6], name: own[7],
      kind: own[8], source: own[9]
    })
    RETURN collect(finding) AS findings
  }
  WITH shared, row, [root] + steps + findings AS ends,
       [shape IN row.shapes | shape {.*, tenant: $tenant, created_at: times[shape.created_at], at: times[shape.at]}] AS shapes
  CALL (row, ends, shapes) {
    UNWIND row.inner AS kin
    WITH kin[0] AS type, shapes[kin[1]] AS shape, kin[2] AS pairs, ends
    UNWIND range(0, size(pairs) - 1, 2) AS place
    WITH type, shape, ends[pairs[place]] AS source, ends[pairs[place + 1]] AS target
    CREATE (source)-[edge:$(type)]->(target)
    SET edge += shape
  }
  CALL (row, ends, shapes, shared) {
    UNWIND row.outer AS kin
    WITH kin[0] AS type, shapes[kin[1]] AS shape, kin[2] AS pairs, ends, shared
    UNWIND range(0, size(pairs) - 1, 2) AS place
    WITH type, shape, ends[pairs[place]] AS source, shared[pairs[place + 1]] AS target
    CREATE (source)-[edge:$(type)]->(target)
    SET edge += shape
  }
}
RETURN count(*) AS seen, collect(CASE WHEN stored IS NOT NULL THEN [row.id, stored, words] END) AS there
