// This program's indexes, their state and their settings.
// params: none
// returns: name, type, state, options
// mode: read
CYPHER 5
SHOW INDEXES YIELD name, type, state, options
WHERE name STARTS WITH 'graphmem_'
RETURN name, type, state, options
