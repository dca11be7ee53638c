// Nodes by id. Times come as seconds and microseconds: the driver takes 100 times as long for its own.
// stand-ins: Episode is the label
// params: tenant, ids, names, moments, slot
// returns: id, values, times, vector
// mode: read
CYPHER 5
UNWIND $ids AS id
MATCH (node:Episode {tenant: $tenant, id: id})
WITH id, properties(node) AS held
RETURN id,
       [name IN $names | held[name]] AS values,
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond]] AS times,
       held[$slot] AS vector
