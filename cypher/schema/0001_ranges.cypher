// Range indexes for what is looked up by value or listed by time; each costs a little at every write.
// params: none
// returns: none
// mode: schema
CYPHER 5
CREATE INDEX graphmem_Episode_started_at IF NOT EXISTS
FOR (node:Episode) ON (node.tenant, node.started_at);
CYPHER 5
CREATE INDEX graphmem_Episode_task IF NOT EXISTS
FOR (node:Episode) ON (node.tenant, node.task);
CYPHER 5
CREATE INDEX graphmem_Episode_session IF NOT EXISTS
FOR (node:Episode) ON (node.tenant, node.session);
CYPHER 5
CREATE INDEX graphmem_Step_episode IF NOT EXISTS
FOR (node:Step) ON (node.tenant, node.episode);
CYPHER 5
CREATE INDEX graphmem_Finding_episode IF NOT EXISTS
FOR (node:Finding) ON (node.tenant, node.episode);
CYPHER 5
CREATE INDEX graphmem_Message_session IF NOT EXISTS
FOR (node:Message) ON (node.tenant, node.session);
CYPHER 5
CREATE INDEX graphmem_Message_at IF NOT EXISTS
FOR (node:Message) ON (node.tenant, node.at);
CYPHER 5
CREATE INDEX graphmem_Message_episode IF NOT EXISTS
FOR (node:Message) ON (node.tenant, node.episode);
CYPHER 5
CREATE INDEX graphmem_Concept_key IF NOT EXISTS
FOR (node:Concept) ON (node.tenant, node.key);
CYPHER 5
CREATE INDEX graphmem_Memory_subject_key IF NOT EXISTS
FOR (node:Memory) ON (node.tenant, node.subject_key);
CYPHER 5
CREATE INDEX graphmem_Pattern_run IF NOT EXISTS
FOR (node:Pattern) ON (node.tenant, node.run);
CYPHER 5
CREATE INDEX graphmem_Procedure_key IF NOT EXISTS
FOR (node:Procedure) ON (node.tenant, node.key);
