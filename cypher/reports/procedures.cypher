// Procedures by how often they were used, with the success rate and its 95 % interval (Wilson).
// Versions that newer ones replaced are left out; the rate and its interval are null where no use is known.
// params: tenant, limit
// returns: procedure, name, origin, user, uses, success, partial, failure, success_rate, low, high
// mode: read
CYPHER 5
MATCH (procedure:Procedure {tenant: $tenant})
WHERE procedure.id IS NOT NULL AND procedure.superseded_at IS NULL
WITH procedure,
     coalesce(procedure.successes, 0) AS success,
     coalesce(procedure.partials, 0) AS partial,
     coalesce(procedure.failures, 0) AS failure,
     1.9599639845400536 AS z
WITH procedure, success, partial, failure, z, success + partial + failure AS uses
WITH procedure, success, partial, failure, z, uses, nullIf(uses, 0) AS known
WITH procedure, success, partial, failure, z, uses, known, toFloat(success) / known AS rate
WITH procedure, success, partial, failure, uses, rate,
     rate + z * z / (2 * known) AS centre,
     z * sqrt(rate * (1 - rate) / known + z * z / (4 * known * known)) AS half,
     1 + z * z / known AS scale
RETURN procedure.id AS procedure,
       procedure.name AS name,
       coalesce(procedure.origin, 'given') AS origin,
       procedure.user_id AS user,
       uses, success, partial, failure,
       rate AS success_rate,
       // rounding must not put the rate itself outside
       CASE WHEN (centre - half) / scale < 0 THEN 0.0
            WHEN (centre - half) / scale > rate THEN rate
            ELSE (centre - half) / scale END AS low,
       CASE WHEN (centre + half) / scale > 1 THEN 1.0
            WHEN (centre + half) / scale < rate THEN rate
            ELSE (centre + half) / scale END AS high
ORDER BY uses DESC, procedure
LIMIT $limit
