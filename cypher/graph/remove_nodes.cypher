// Removes nodes with what they own and all their edges.
// `removed` has label, nodes and words of all that went; `found` counts the named ones.
// stand-ins: Episode is the label
// params: tenant, ids
// returns: found, removed
// mode: write
CYPHER 5
UNWIND $ids AS id
MATCH (node:Episode {tenant: $tenant, id: id})
OPTIONAL MATCH (node)-[:HAS_STEP|HAS_FINDING]->(owned:Step|Finding)
WITH collect(DISTINCT node) AS named, collect(DISTINCT owned) AS owned
WITH named + [one IN owned WHERE NOT one IN named] AS going, size(named) AS found
WITH going, found, [one IN going | [labels(one), size(split(one.search_text, ' '))]] AS removed
FOREACH (one IN going | DETACH DELETE one)
RETURN found, removed
