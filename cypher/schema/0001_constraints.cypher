// One node a tenant, label and id; one node each for the store's state, a tenant's lock and a migration.
// Existence and key constraints need the Enterprise edition: the program checks what they would.
// params: none
// returns: none
// mode: schema
CYPHER 5
CREATE CONSTRAINT graphmem_Episode_id IF NOT EXISTS
FOR (node:Episode) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Step_id IF NOT EXISTS
FOR (node:Step) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Finding_id IF NOT EXISTS
FOR (node:Finding) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Tool_id IF NOT EXISTS
FOR (node:Tool) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Message_id IF NOT EXISTS
FOR (node:Message) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Session_id IF NOT EXISTS
FOR (node:Session) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Concept_id IF NOT EXISTS
FOR (node:Concept) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Memory_id IF NOT EXISTS
FOR (node:Memory) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Procedure_id IF NOT EXISTS
FOR (node:Procedure) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Pattern_id IF NOT EXISTS
FOR (node:Pattern) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_ConsolidationRun_id IF NOT EXISTS
FOR (node:ConsolidationRun) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_ImportRun_id IF NOT EXISTS
FOR (node:ImportRun) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_MiningRun_id IF NOT EXISTS
FOR (node:MiningRun) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_store IF NOT EXISTS
FOR (store:GraphmemStore) REQUIRE store.id IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_tenant IF NOT EXISTS
FOR (owner:GraphmemTenant) REQUIRE owner.tenant IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_migration IF NOT EXISTS
FOR (migration:GraphmemMigration) REQUIRE migration.name IS UNIQUE;
