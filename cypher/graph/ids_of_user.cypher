// Names of the nodes of a label that carry a user.
// stand-ins: Episode is the label
// params: tenant, user
// returns: ids
// mode: read
CYPHER 5
MATCH (node:Episode {tenant: $tenant})
WHERE node.id IS NOT NULL AND node.user_id = $user
RETURN collect(node.id) AS ids
