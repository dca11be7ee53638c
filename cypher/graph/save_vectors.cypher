// Sets the vectors of nodes that exist.
// stand-ins: Episode is the label
// params: tenant, slot, rows
// returns: nodes
// mode: write
CYPHER 5
UNWIND $rows AS row
MATCH (node:Episode {tenant: $tenant, id: row[0]})
CALL (node, row) {
  CALL db.create.setNodeVectorProperty(node, $slot, row[1])
}
RETURN count(*) AS nodes
