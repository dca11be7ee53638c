// Documents and words of a label by tenant, counted from the nodes.
// stand-ins: Episode is the label
// params: none
// returns: tenant, documents, words
// mode: read
CYPHER 5
MATCH (node:Episode)
WHERE node.tenant IS NOT NULL AND node.search_text IS NOT NULL
RETURN node.tenant AS tenant, count(*) AS documents, sum(size(split(node.search_text, ' '))) AS words
