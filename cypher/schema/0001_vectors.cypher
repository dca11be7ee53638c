// Vectors, one index a label, in the property and of the length that the store's embedder has.
// Every property that a search may filter by is declared: others are refused (22ND3), and one more means a new index.
// Quantization saves memory at the price of answers; the length in the file is an example.
// stand-ins: embedding is the vector, 384 is the dimension
// params: none
// returns: none
// mode: schema
CYPHER 25
CREATE VECTOR INDEX graphmem_Episode_embedding IF NOT EXISTS
FOR (node:Episode) ON node.embedding
WITH [node.tenant, node.created_at, node.domain, node.ended_at, node.outcome, node.session,
      node.started_at, node.state, node.task, node.time_unknown, node.user_id, node.variant]
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 25
CREATE VECTOR INDEX graphmem_Message_embedding IF NOT EXISTS
FOR (node:Message) ON node.embedding
WITH [node.tenant, node.at, node.created_at, node.episode, node.role, node.session,
      node.speaker, node.user_id]
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 25
CREATE VECTOR INDEX graphmem_Concept_embedding IF NOT EXISTS
FOR (node:Concept) ON node.embedding
WITH [node.tenant, node.abstraction_level, node.created_at, node.key, node.kind, node.user_id]
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 25
CREATE VECTOR INDEX graphmem_Memory_embedding IF NOT EXISTS
FOR (node:Memory) ON node.embedding
WITH [node.tenant, node.at, node.created_at, node.kind, node.predicate_key, node.subject_key,
      node.superseded_at, node.user_id, node.valid_from, node.valid_to]
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 25
CREATE VECTOR INDEX graphmem_Procedure_embedding IF NOT EXISTS
FOR (node:Procedure) ON node.embedding
WITH [node.tenant, node.created_at, node.key, node.user_id]
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 25
CREATE VECTOR INDEX graphmem_Pattern_embedding IF NOT EXISTS
FOR (node:Pattern) ON node.embedding
WITH [node.tenant, node.created_at, node.domain, node.first_seen, node.last_seen,
      node.polarity, node.run, node.scope, node.support, node.tier, node.user_id]
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
