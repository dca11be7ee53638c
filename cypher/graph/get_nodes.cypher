// Nodes by id. Times come as numbers, since the driver takes 70 microseconds to read one of its own: seconds
// since 1970, microseconds, and the second of the minute, because before 1970 seconds are cut towards 1970.
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
       [name IN $moments | [held[name].epochSeconds, held[name].microsecond, held[name].second]] AS times,
       held[$slot] AS vector
