"""The closed lists of what an operator's free query may consist of. What is not here is refused.

A new version of Neo4j may bring an operator or a function that is harmless and refused all the same: it is
added here, with a look at what it does, and nowhere else.
"""

from __future__ import annotations

_CLAUSES = "call filter for let match optional return unwind when with"

CLAUSES = frozenset(_CLAUSES.split())
"""Words that a statement may begin with. Others change data or schema, steer the server, or (explain, profile)
change what running means."""

FORBIDDEN_WORDS = {
    "load": "LOAD CSV reads files and addresses from inside the server, and counts as reading there",
    "use": "USE turns to another database",
    "show": "SHOW lists users, settings and other people's transactions",
    "terminate": "TERMINATE ends other people's transactions",
    "profile": "PROFILE runs a statement while it is looked at",
    "explain": "EXPLAIN is what graphmem does with every free query; leave it out",
}
"""Words that no name outside of backticks may be: inside an expression the plan does not show the first one."""

_BEFORE_PARENTHESIS = """
    acyclic all and any by call case collect contains count distinct else elements exists filter for groups in let
    limit match not offset optional or paths relationships return shortest simple skip then trail unwind walk when
    where with xor
"""

BEFORE_PARENTHESIS = frozenset(_BEFORE_PARENTHESIS.split())
"""Words of the language, in lower case, that may stand before a parenthesis without calling a function.
Neo4j lets no one define a function without a namespace, so none can hide behind one of them."""

_FUNCTIONS = """
    avg collect collect_list count max min percentilecont percentiledisc percentile_cont percentile_disc stdev
    stdevp stdev_pop stdev_samp sum

    all allreduce any exists isempty none property_exists single

    cardinality char_length character_length coalesce elementid endnode head id last length nullif path_length
    properties randomuuid size startnode timestamp toboolean tobooleanornull tofloat tofloatornull tointeger
    tointegerornull type uuid uuid.leastsignificantbits uuid.mostsignificantbits valuetype

    allshortestpaths coll.distinct coll.flatten coll.indexof coll.insert coll.max coll.min coll.remove coll.sort
    keys labels nodes range reduce relationships shortestpath tail tobooleanlist tofloatlist tointegerlist
    tostringlist

    btrim left lower ltrim normalize replace reverse right rtrim split string.indexof string.join
    string.regexreplace substring tolower tostring tostringornull toupper trim upper

    abs acos asin atan atan2 ceil ceiling cos cosh cot coth degrees e exp floor haversin isnan ln log log10 pi
    radians rand round sign sin sinh sqrt tan tanh

    date date.realtime date.statement date.transaction date.truncate datetime datetime.fromepoch
    datetime.fromepochmillis datetime.realtime datetime.statement datetime.transaction datetime.truncate
    duration duration.between duration.indays duration.inmonths duration.inseconds duration_between format
    local_datetime local_time localdatetime localdatetime.realtime localdatetime.statement
    localdatetime.transaction localdatetime.truncate localtime localtime.realtime localtime.statement
    localtime.transaction localtime.truncate time time.realtime time.statement time.transaction time.truncate
    zoned_datetime zoned_time

    point point.distance point.withinbbox

    vector vector.similarity.cosine vector.similarity.euclidean vector_dimension_count vector_distance
    vector_norm
"""

FUNCTIONS = frozenset(_FUNCTIONS.split())
"""Built-in functions in lower case: aggregating, predicates, scalar, of lists and paths, of text, numeric,
temporal, spatial, of vectors. Left out: graph.* (turns to another graph), file and linenumber (of LOAD CSV), and
everything that a plug-in brings (genai, ai, apoc ...), which may reach the network or the disk."""

PROCEDURES = frozenset(
    {
        # what there is in the database, without values
        "db.labels",
        "db.propertyKeys",
        "db.relationshipTypes",
        "db.schema.nodeTypeProperties",
        "db.schema.relTypeProperties",
        "db.schema.visualization",
        # searches, which Cypher 5 can only call
        "db.index.fulltext.queryNodes",
        "db.index.fulltext.queryRelationships",
        "db.index.vector.queryNodes",
        "db.index.vector.queryRelationships",
    }
)
"""Reading procedures. Left out although the server calls them reading: db.await* (wait), db.resample* and
db.prepareForReplanning (make the server work), db.stats.* (texts of other people's queries); and all that it does
not: dbms.* (settings, connections, the machine), tx.*, and a plug-in's own."""

_OPERATORS = """
    AllNodesScan AllRelationshipsScan Argument EmptyRow DynamicDirectedRelationshipTypeLookup
    DynamicLabelNodeLookup DynamicUndirectedRelationshipTypeLookup IntersectionNodeByLabelsScan MultiNodeIndexSeek
    NodeByElementIdSeek NodeByIdSeek NodeByLabelScan NodeCountFromCountStore NodeFulltextIndexSearch
    NodeIndexContainsScan NodeIndexEndsWithScan NodeIndexScan NodeIndexSeek NodeIndexSeekByRange
    NodeUniqueIndexSeek NodeUniqueIndexSeekByRange NodeVectorIndexSearch ProcedureCall RelationshipByElementIdSeek
    RelationshipByIdSeek RelationshipCountFromCountStore RelationshipFulltextIndexSearch
    RelationshipIndexContainsScan RelationshipIndexEndsWithScan RelationshipIndexScan RelationshipIndexSeek
    RelationshipIndexSeekByRange RelationshipTypeScan RelationshipUniqueIndexSeek
    RelationshipUniqueIndexSeekByRange RelationshipVectorIndexSearch SubtractionNodeByLabelsScan
    UnionNodeByLabelsScan UnionRelationshipTypesScan

    BidirectionalRepeat Expand OptionalExpand PathPropagatingBFS ProjectEndpoints Repeat ShortestPath
    StatefulShortestPath VarLengthExpand

    Anti AntiConditionalApply AntiSemiApply Apply CartesianProduct ConditionalApply LetAntiSemiApply
    LetSelectOrAntiSemiApply LetSelectOrSemiApply LetSemiApply NodeHashJoin NodeLeftOuterHashJoin
    NodeRightOuterHashJoin Optional RollUpApply SelectOrAntiSemiApply SelectOrSemiApply SemiApply TriadicBuild
    TriadicFilter TriadicSelection ValueHashJoin ValueMergeJoin

    CacheProperties Distinct Eager EagerAggregation EmptyResult ExhaustiveLimit Filter Limit OrderedAggregation
    OrderedDistinct OrderedUnion PartialSort PartialTop PreserveOrder ProduceResults Projection
    RemoteBatchProperties RemoteBatchPropertiesWithFilter Skip Sort Top Top1WithTies Union Unwind
"""

OPERATORS = frozenset(_OPERATORS.split())
"""Operators of a plan that only read: leaves, steps along edges, joins, and shaping of rows. A variant in
parentheses and the words Partitioned, Directed and Undirected in front are left out here."""
