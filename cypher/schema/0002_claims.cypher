// One claim a tenant and id: two consolidations that read the same agree on its node.
// params: none
// returns: none
// mode: schema
CYPHER 5
CREATE CONSTRAINT graphmem_Claim_id IF NOT EXISTS
FOR (node:Claim) REQUIRE (node.tenant, node.id) IS UNIQUE;
