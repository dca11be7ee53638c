// Documents that hold any of the words, by the index's own score, with their words: the program ranks them. The
// first of them come whole, since most of the best are among them: that saves a second question. The tenant is
// part of the query. `hits` tells whether `reach` cut the search off before the filter; the tenant's counts come
// along, so that the program sees whether those that it remembers still hold.
// stand-ins: true is the filter
// params: tenant, index, words, reach, limit, whole, names, moments
// returns: hits, ids, texts, rows, owner
// mode: read
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $words, {limit: $reach}) YIELD node
WITH count(*) AS hits, collect(CASE WHEN true THEN node END)[..$limit] AS found
MATCH (owner:GraphmemTenant {tenant: $tenant})
RETURN hits,
       [node IN found | node.id] AS ids,
       [node IN found | node.search_text] AS texts,
       [node IN found[..$whole] | [
         node.id,
         [name IN $names | node[name]],
         [name IN $moments | [node[name].epochSeconds, node[name].microsecond, node[name].second]]
       ]] AS rows,
       owner {.*} AS owner
