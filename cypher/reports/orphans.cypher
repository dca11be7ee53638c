// What stands alone: concepts without any link, symptoms of closed episodes that nothing is known to have caused,
// relations that were found and have no evidence left, and memories whose sources are all gone.
// times: episodes with the symptom and no cause; sources that a memory named; else 1.
// params: tenant, now, limit
// returns: what, name, kind, times
// mode: read
CYPHER 5
CALL () {
  MATCH (concept:Concept {tenant: $tenant})
  WHERE concept.id IS NOT NULL AND NOT EXISTS { (concept)--() }
  RETURN 'concept' AS what, concept.key AS name, concept.kind AS kind, 1 AS times
  UNION ALL
  MATCH (episode:Episode {tenant: $tenant, state: 'closed'})-[:HAS_FINDING]->(finding:Finding {kind: 'symptom'})
  WHERE NOT EXISTS { (finding)-[:CAUSED_BY]->() }
  RETURN 'finding' AS what, finding.key AS name, finding.kind AS kind, count(DISTINCT episode) AS times
  UNION ALL
  MATCH (head:Concept {tenant: $tenant})
        -[relation:IS_A|PART_OF|MEMBER_OF|HAS_A|CAUSES|SIMILAR_TO|OPPOSITE_OF|USED_FOR|LINKED_TO|PREREQUISITE_OF|INSTANCE_OF]
        ->(tail:Concept)
  WHERE coalesce(relation.source, 'given') <> 'given'
    AND relation.evidence IS NULL AND relation.evidence_ids IS NULL
  RETURN 'relation' AS what,
         head.key + ' ' + toLower(type(relation)) + ' ' + tail.key AS name,
         relation.source AS kind,
         1 AS times
  UNION ALL
  MATCH (memory:Memory {tenant: $tenant})
  WHERE memory.superseded_at > $now AND memory.sources IS NOT NULL AND NOT EXISTS { (memory)-[:ASSERTED_IN]->() }
  RETURN 'memory' AS what, memory.text AS name, memory.kind AS kind, size(memory.sources) AS times
}
RETURN what, name, kind, times
ORDER BY what, times DESC, name, kind
LIMIT $limit
