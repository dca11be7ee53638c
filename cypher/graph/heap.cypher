// The server's memory: bytes of its heap in use, and at most.
// params: none
// returns: used, most
// mode: read
CYPHER 5
CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes
WITH attributes.HeapMemoryUsage.value.properties AS heap
RETURN heap.used AS used, heap.max AS most
