// Tenants that hold nodes of a label.
// stand-ins: Episode is the label
// params: none
// returns: tenant
// mode: read
CYPHER 5
MATCH (owner:GraphmemTenant)
WHERE EXISTS { MATCH (:Episode {tenant: owner.tenant}) }
RETURN owner.tenant AS tenant
