// Notes that a schema file was applied, and when.
// params: name, version, at
// returns: name
// mode: write
CYPHER 5
MERGE (migration:GraphmemMigration {name: $name})
  ON CREATE SET migration.version = $version, migration.applied_at = $at
RETURN migration.name AS name
