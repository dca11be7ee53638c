// Edges of some types that reach nodes. The other end's label is the one that this program gave it.
// stand-ins: Message is the label, IN_SESSION is the type
// params: tenant, ids, names, moments
// returns: type, id, labels, other, values, times
// mode: read
CYPHER 5
UNWIND $ids AS id
MATCH (node:Message {tenant: $tenant, id: id})
MATCH (node)<-[edge:IN_SESSION]-(other)
WHERE other.tenant = $tenant
WITH id, other, edge, properties(edge) AS held
RETURN type(edge) AS type, id, labels(other) AS labels, other.id AS other,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times
