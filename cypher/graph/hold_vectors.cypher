// Notes that the store holds vectors, so that it keeps to their embedder.
// No row where another process has given the store another embedder meanwhile.
// params: name, dimension
// returns: name
// mode: write
CYPHER 5
MATCH (store:GraphmemStore {id: 'store', embedder_name: $name, embedder_dimension: $dimension})
SET store.has_vectors = true
RETURN store.embedder_name AS name
