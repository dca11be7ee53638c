// Names of the schema files that were applied.
// params: none
// returns: names
// mode: read
CYPHER 5
MATCH (migration:GraphmemMigration)
RETURN collect(migration.name) AS names
