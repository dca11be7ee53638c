// Waits until every index answers.
// params: seconds
// returns: none
// mode: read
CYPHER 5
CALL db.awaitIndexes($seconds)
