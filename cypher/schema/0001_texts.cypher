// Search words, one index a label. The tenant is in the index too: filtering afterwards loses answers.
// The words are made by the program, so the analyzer only splits at blanks.
// params: none
// returns: none
// mode: schema
CYPHER 5
CREATE FULLTEXT INDEX graphmem_Episode_text IF NOT EXISTS
FOR (node:Episode) ON EACH [node.search_text, node.tenant]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CYPHER 5
CREATE FULLTEXT INDEX graphmem_Message_text IF NOT EXISTS
FOR (node:Message) ON EACH [node.search_text, node.tenant]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CYPHER 5
CREATE FULLTEXT INDEX graphmem_Concept_text IF NOT EXISTS
FOR (node:Concept) ON EACH [node.search_text, node.tenant]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CYPHER 5
CREATE FULLTEXT INDEX graphmem_Memory_text IF NOT EXISTS
FOR (node:Memory) ON EACH [node.search_text, node.tenant]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CYPHER 5
CREATE FULLTEXT INDEX graphmem_Procedure_text IF NOT EXISTS
FOR (node:Procedure) ON EACH [node.search_text, node.tenant]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CYPHER 5
CREATE FULLTEXT INDEX graphmem_Pattern_text IF NOT EXISTS
FOR (node:Pattern) ON EACH [node.search_text, node.tenant]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
