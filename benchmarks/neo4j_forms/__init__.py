"""The parts of neo4j_store.py: the server, the data, and the raw and the own form of each job."""
