// Drops the full-text index of a label.
// stand-ins: Episode is the label
// params: none
// returns: none
// mode: schema
CYPHER 5
DROP INDEX graphmem_Episode_text IF EXISTS
