// Owned nodes without their owner, and edges between two tenants, counted up to a limit.
// params: limit
// returns: nodes, edges
// mode: read
CYPHER 5
CALL () {
  MATCH (node:Step|Finding)
  WHERE node.tenant IS NOT NULL AND NOT EXISTS { (node)<-[:HAS_STEP|HAS_FINDING]-() }
  WITH node
  LIMIT $limit
  RETURN count(*) AS nodes
}
CALL () {
  MATCH (source)-[edge]->(target)
  WHERE edge.tenant IS NOT NULL AND (source.tenant <> edge.tenant OR target.tenant <> edge.tenant)
  WITH edge
  LIMIT $limit
  RETURN count(*) AS edges
}
RETURN nodes, edges
