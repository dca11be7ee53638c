// Drops the vector index of a label.
// stand-ins: Episode is the label, embedding is the vector
// params: none
// returns: none
// mode: schema
CYPHER 5
DROP INDEX graphmem_Episode_embedding IF EXISTS
