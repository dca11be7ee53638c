// Vectors, one index a label, in the property and of the length that the store's embedder has.
// This line cannot filter inside the index; the program takes more than asked for and filters afterwards.
// Quantization saves memory at the price of answers; the length in the file is an example.
// stand-ins: embedding is the vector, 384 is the dimension
// params: none
// returns: none
// mode: schema
CYPHER 5
CREATE VECTOR INDEX graphmem_Episode_embedding IF NOT EXISTS
FOR (node:Episode) ON node.embedding
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 5
CREATE VECTOR INDEX graphmem_Message_embedding IF NOT EXISTS
FOR (node:Message) ON node.embedding
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 5
CREATE VECTOR INDEX graphmem_Concept_embedding IF NOT EXISTS
FOR (node:Concept) ON node.embedding
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 5
CREATE VECTOR INDEX graphmem_Memory_embedding IF NOT EXISTS
FOR (node:Memory) ON node.embedding
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 5
CREATE VECTOR INDEX graphmem_Procedure_embedding IF NOT EXISTS
FOR (node:Procedure) ON node.embedding
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
CYPHER 5
CREATE VECTOR INDEX graphmem_Pattern_embedding IF NOT EXISTS
FOR (node:Pattern) ON node.embedding
OPTIONS {indexConfig: {
  `vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false
}};
