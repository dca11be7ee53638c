// Version and edition of the server.
// params: none
// returns: version, edition
// mode: read
CYPHER 5
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
