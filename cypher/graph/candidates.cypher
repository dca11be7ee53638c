// Documents that hold any of the words, by the index's own score, with their words: the program ranks them.
// The tenant is part of the query. `hits` tells whether `reach` cut the search off before the filter.
// stand-ins: true is the filter
// params: index, words, reach, limit
// returns: hits, found
// mode: read
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $words, {limit: $reach}) YIELD node
WITH count(*) AS hits, collect(CASE WHEN true THEN [node.id, node.search_text] END) AS found
RETURN hits, found[..$limit] AS found
