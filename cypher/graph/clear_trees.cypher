// Removes what roots own and the edges that are replaced with them; the roots are left as placeholders.
// Edges to messages and the evidence of patterns stay.
// stand-ins: Episode is the label
// params: tenant, ids
// returns: id, created_at
// mode: write
CYPHER 5
UNWIND $ids AS id
MATCH (root:Episode {tenant: $tenant, id: id})
CALL (root) {
  MATCH (root)-[:HAS_STEP|HAS_FINDING]->(owned:Step|Finding)
  DETACH DELETE owned
}
CALL (root) {
  MATCH (root)-[edge:HAS_STEP|HAS_FINDING|OF_SESSION|MENTIONS]->()
  DELETE edge
}
SET root.content_hash = ''
RETURN id, [root.created_at.epochSeconds, root.created_at.microsecond, root.created_at.second] AS created_at
