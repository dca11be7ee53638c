// What cannot all be true. fact: two objects that one subject has at the same time by a predicate that allows one.
// claim: texts state it and deny it, supporting and opposing times. direction: two concepts that stand in one
// relation both ways round, which leads one way only; supporting and opposing are their pieces of evidence.
// For facts these are their sources; the predicates are those that hold one object at a time by default.
// params: tenant, now, limit
// returns: what, subject, predicate, object, other, supporting, opposing
// mode: read
CYPHER 5
CALL () {
  MATCH (one:Memory {tenant: $tenant})
  WHERE one.predicate_key IN ['birthday_is', 'born_in', 'headquartered_in', 'job_title_is', 'lives_in', 'married_to',
                              'reports_to', 'studies_at', 'works_at']
    AND one.superseded_at > $now AND one.object IS NOT NULL
  MATCH (other:Memory {tenant: $tenant, subject_key: one.subject_key, predicate_key: one.predicate_key})
  WHERE other.superseded_at > $now AND other.object IS NOT NULL
    AND one.object < other.object
    AND toLower(one.object) <> toLower(other.object)
    AND coalesce(one.user_id, '') = coalesce(other.user_id, '')
    AND (one.valid_from IS NULL OR one.valid_from < other.valid_to)
    AND (other.valid_from IS NULL OR other.valid_from < one.valid_to)
  RETURN 'fact' AS what, one.subject AS subject, one.predicate_key AS predicate,
         one.object AS object, other.object AS other,
         coalesce(size(one.sources), 0) AS supporting, coalesce(size(other.sources), 0) AS opposing
  UNION ALL
  MATCH (claim:Claim {tenant: $tenant})
  WHERE claim.support > 0 AND claim.against > 0
  RETURN 'claim' AS what, claim.head AS subject, claim.relation AS predicate, claim.tail AS object, null AS other,
         claim.support AS supporting, claim.against AS opposing
  UNION ALL
  MATCH (one:Concept {tenant: $tenant})
        -[there:IS_A|PART_OF|MEMBER_OF|HAS_A|CAUSES|USED_FOR|PREREQUISITE_OF|INSTANCE_OF]->(other:Concept)
  WHERE one.id < other.id
  MATCH (other)-[back]->(one)
  WHERE type(back) = type(there)
  RETURN 'direction' AS what, one.name AS subject, toLower(type(there)) AS predicate,
         other.name AS object, null AS other,
         coalesce(there.evidence_count, 0) AS supporting, coalesce(back.evidence_count, 0) AS opposing
}
RETURN what, subject, predicate, object, other, supporting, opposing
ORDER BY what, subject, predicate, object, other, supporting, opposing
LIMIT $limit
