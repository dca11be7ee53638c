// One alias and one merge a tenant and id; aliases are looked up by their key.
// params: none
// returns: none
// mode: schema
CYPHER 5
CREATE CONSTRAINT graphmem_Alias_id IF NOT EXISTS
FOR (node:Alias) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE CONSTRAINT graphmem_Merge_id IF NOT EXISTS
FOR (node:Merge) REQUIRE (node.tenant, node.id) IS UNIQUE;
CYPHER 5
CREATE INDEX graphmem_Alias_key IF NOT EXISTS
FOR (node:Alias) ON (node.tenant, node.key);
