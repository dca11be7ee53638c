"""Reports over one tenant: each a function over the port, with an equal in Cypher for those who have Neo4j."""
