// Documents that hold any of the words, by the index's own score, with their words: the program ranks them.
// The tenant is part of the query. `hits` tells whether `reach` cut the search off before the filter; the tenant's
// counts come along, so that the program sees whether those that it remembers still hold.
// stand-ins: true is the filter
// params: tenant, index, words, reach, limit
// returns: hits, found, owner
// mode: read
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $words, {limit: $reach}) YIELD node
WITH count(*) AS hits, collect(CASE WHEN true THEN [node.id, node.search_text] END) AS found
MATCH (owner:GraphmemTenant {tenant: $tenant})
RETURN hits, found[..$limit] AS found, owner {.*} AS owner
