"""The store on a Neo4j server: statements are files in cypher/graph, schema files in cypher/schema."""
