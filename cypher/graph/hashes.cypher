// Content hashes of the nodes that exist.
// stand-ins: Episode is the label
// params: tenant, ids
// returns: hashes
// mode: read
CYPHER 5
UNWIND $ids AS id
MATCH (node:Episode {tenant: $tenant, id: id})
RETURN collect([id, coalesce(node.content_hash, '')]) AS hashes
