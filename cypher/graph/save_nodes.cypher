// Writes single nodes: absent ones and placeholders always, others with other content when `replace` says so.
// The answer names the content hash that was there, and how many words it had.
// A node stored without a content hash is a placeholder; one with no more than tenant and id is new. A vector that is not given is kept; the one that a
// running re-embedding made of the old content is not.
// stand-ins: Episode is the label
// params: tenant, slot, names, times, rows, replace
// returns: there
// mode: write
CYPHER 5
WITH [time IN $times | datetime({epochSeconds: time[0], microsecond: time[1]})] AS times
UNWIND $rows AS row
MERGE (node:Episode {tenant: $tenant, id: row.id})
WITH times, row, node, size(split(node.search_text, ' ')) AS words,
     CASE WHEN node.content_hash IS NULL AND size(keys(node)) > 2 THEN '' ELSE node.content_hash END AS stored
CALL (times, row, node, stored) {
  WITH *
  WHERE stored IS NULL
     OR row.hash <> '' AND (stored = '' OR $replace AND stored <> row.hash)
  WITH *, row.properties AS given, CASE WHEN stored <> '' THEN node.created_at END AS kept
  FOREACH (name IN CASE WHEN stored IS NULL THEN [] ELSE $names END | SET node[name] = null)
  SET node += given {
    .*, created_at: coalesce(kept, times[given.created_at]), at: times[given.at],
    started_at: times[given.started_at], ended_at: times[given.ended_at],
    valid_from: times[given.valid_from], valid_to: times[given.valid_to],
    superseded_at: times[given.superseded_at], undone_at: times[given.undone_at],
    first_seen: times[given.first_seen], last_seen: times[given.last_seen]
  }
  WITH node, row
  WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(node, $slot, row.vector)
}
RETURN collect(CASE WHEN stored IS NOT NULL THEN [row.id, stored, words] END) AS there
