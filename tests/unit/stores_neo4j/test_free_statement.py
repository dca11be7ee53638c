"""What the text of a free query gives away: nothing of it may hide a word, a call or a second statement."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError
from graphmem.stores.neo4j.free_allowed import FORBIDDEN_WORDS
from graphmem.stores.neo4j.free_statement import read_statement
from graphmem.stores.neo4j.free_tokens import tokens_of

HARMLESS = [
    "MATCH (n) RETURN n",
    "match (n:Episode {tenant: $t}) where n.goal contains ('환불') return n order by (n.id) skip (1) limit (2)",
    "MATCH (n:가전)-[:포함*1..3]->(m) RETURN m.이름",
    "MATCH (n) WHERE n:$($labels) OR n:$any($labels) RETURN count(*), cOuNt (DISTINCT n)",
    "MATCH p = ANY SHORTEST (a)-[]->+(b) RETURN length(p)",
    "MATCH p = SHORTEST 2 PATHS ((a)-[]->(b)){1,3} (c) RETURN p",
    "CALL db.labels",
    "CALL db . /* blank */ `labels` () YIELD label RETURN label",
    "OPTIONAL CALL db.index.fulltext.queryNodes('graphmem_Episode_text', 'x') YIELD node RETURN node",
    "MATCH (n) CALL (n) { RETURN 1 AS x } RETURN x",
    "MATCH (n) RETURN EXISTS { (n)--() } AS x, COUNT { MATCH (n) } AS y, COLLECT { MATCH (m) RETURN m.id } AS z",
    "RETURN [1, 2, 3][0..size([1])], 0x1F, 1.5e-3, -.5, date . truncate('day', date())",
    "RETURN 'LOAD CSV FROM', \"; USE x\", `it``s` // SHOW USERS\n/* PROFILE \n ; */",
    "WITH 'it\\'s \\\\' AS a RETURN a AS `use`, `evil.f`",
    "RETURN $`a b`, $1, $환불",
    "RETURN 1;",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_reads_passes(text: str) -> None:
    assert read_statement(text).language == "5"


@pytest.mark.parametrize(
    ("text", "language", "body"),
    [
        ("CYPHER 25 MATCH (n) RETURN n", "25", "MATCH (n) RETURN n"),
        ("cypher /* x */ 5\nRETURN 1 ; ;", "5", "RETURN 1"),
        ("// first\nRETURN 1 /* a\r\nb */ AS x\r\n", "5", "RETURN 1     \n     AS x"),
    ],
)
def test_the_version_is_read_and_comments_never_reach_the_server(text: str, language: str, body: str) -> None:
    statement = read_statement(text)
    assert (statement.language, statement.body) == (language, body)
    assert statement.text == f"CYPHER {language} {body}"
    assert statement.explained == f"CYPHER {language} EXPLAIN {body}"


def test_parameters_are_those_outside_of_quotes() -> None:
    text = "MATCH (n:$any($labels)) WHERE n.a = $x AND n.b = '$y' /* $z */ RETURN `$w`, $`a b`, $x"
    assert read_statement(text).parameters == {"labels", "x", "a b"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no statement"),
        (" ; // nothing\n", "no statement"),
        ("CREATE (n)", "begins with one of"),
        ("SHOW USERS", "begins with one of"),
        ("TERMINATE TRANSACTIONS 'x'", "begins with one of"),
        ("PROFILE MATCH (n) RETURN n", "begins with one of"),
        ("EXPLAIN MATCH (n) RETURN n", "begins with one of"),
        ("CYPHER 5 EXPLAIN MATCH (n) RETURN n", "begins with one of"),
        ("CYPHER runtime=slotted MATCH (n) RETURN n", "begins with one of"),
        ("CYPHER 25 runtime=slotted MATCH (n) RETURN n", "begins with one of"),
        ("CYPHER 25 CYPHER 5 MATCH (n) RETURN n", "begins with one of"),
        ("`MATCH` (n) RETURN n", "begins with one of"),
        ("USE system MATCH (n) RETURN n", "begins with one of"),
        ("CALL { USE system MATCH (n) RETURN n } RETURN n", "USE turns"),
        ("RETURN 1 AS x UNION uSe/**/system RETURN 2 AS x", "USE turns"),
        ("RETURN 1 AS x UNION u\u017fe system RETURN 2 AS x", "USE turns"),
        ("MATCH (n) LOAD CSV FROM 'x' AS l RETURN l", "LOAD CSV"),
        ("RETURN CASE WHEN EXISTS { lOaD/* */csv FROM 'x' AS l RETURN l } THEN 1 END", "LOAD CSV"),
        ("MATCH (n) RETURN n; MATCH (m) RETURN m", "more than one"),
        (
            "RETURN CASE WHEN EXISTS { CALL dbms.components() YIELD name RETURN name } THEN 1 END",
            "dbms.components",
        ),
        ("CALL dbms.listConfig", "dbms.listConfig"),
        ("CALL `dbms`.`listConfig`()", "dbms.listConfig"),
        ("CALL db./* */stats.retrieve('QUERIES')", "db.stats.retrieve"),
        ("CALL apoc.load.json('http://x')", "apoc.load.json"),
        ("MATCH (n) RETURN n AS call", "names no procedure"),
        ("RETURN apoc.create.uuid()", "apoc.create.uuid"),
        ("RETURN `apoc` . `load` /* */ (1)", "apoc.load"),
        ("RETURN [1][0..apoc.f(1)]", "apoc.f"),
        ("RETURN {a:apoc.f(1)}", "apoc.f"),
        ("RETURN apoc.count(1)", "apoc.count"),
        ("RETURN apoc.match(1)", "apoc.match"),
        ("RETURN file()", "the function file"),
        ("RETURN graph.byName('x')", "graph.byName"),
        ("RETURN `match`(1)", "the function match"),
        ("RETURN 함수(1)", "the function 함수"),
        ("RETURN $count(1)", "cannot be called"),
        ("RETURN apoc.f$count(1)", "holds $"),
        ("RETURN $f$count(1)", "holds $"),
        ("RETURN 1apoc(2)", "runs into a name"),
        ("\\u004cOAD CSV FROM 'x' AS l RETURN l", "escapes"),
        ("RETURN 'a\\u0027 + apoc.f() + \\u0027'", "escapes"),
        ("RETURN `a\\U00000060`", "escapes"),
        ("RETURN 'a\\q'", "no escape"),
        ("RETURN 'a", "does not end"),
        ("RETURN \"a' ", "does not end"),
        ("RETURN `a", "does not end"),
        ("RETURN 1 /* a", "does not end"),
        ("RETURN \\ 1", "U+005C"),
        ("RETURN 1 // a\rLOAD CSV FROM 'x' AS l", "U+000D"),
        ("RETURN 'a\x00b'", "U+0000"),
        ("RETURN\u00a01", "U+00A0"),
        ("RETURN\u30001", "U+3000"),
        ("RETURN count\u200b(1)", "U+200B"),
        ("RETURN count\u180e(1)", "U+180E"),
        ("RETURN apoc\u00b7count(1)", "U+00B7"),
        ("RETURN ‘a’", "U+2018"),
        ("RETURN 'a\ud800'", "U+D800"),
    ],
)
def test_what_may_do_more_than_read_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read_statement(text)
    assert reason in str(refused.value)


def test_a_refusal_names_line_and_column() -> None:
    with pytest.raises(InvalidInputError, match="line 3, column 8"):
        read_statement("// 환불\nMATCH (n)\nRETURN apoc(n)")


GAP = st.lists(
    st.sampled_from([" ", "\n", "\t", "\r\n", "/**/", "/* ' \" ` */", "/* / * */", "// `'\n", "/***/", "/*//*/"]),
    min_size=1,
    max_size=3,
).map("".join)


def in_any_case(word: str) -> st.SearchStrategy[str]:
    return st.tuples(*(st.sampled_from([letter.lower(), letter.upper()]) for letter in word)).map("".join)


@given(word=st.sampled_from(sorted(FORBIDDEN_WORDS)).flatmap(in_any_case), before=GAP, after=GAP)
def test_no_comment_blank_or_case_hides_a_word(word: str, before: str, after: str) -> None:
    with pytest.raises(InvalidInputError):
        read_statement(f"RETURN 1 AS x UNION{before}{word}{after}x RETURN 2 AS x")


@given(
    name=st.lists(st.sampled_from(["apoc", "`apoc`", "`lo``ad`", "count", "date", "가"]), min_size=2, max_size=4),
    gap=GAP,
    quote=st.booleans(),
)
def test_no_comment_blank_or_backtick_hides_a_call(name: list[str], gap: str, quote: bool) -> None:
    called = f"{gap}.{gap}".join([*name, "`f`" if quote else "f"])
    with pytest.raises(InvalidInputError, match="the function"):
        read_statement(f"RETURN {called}{gap}(1)")


@given(inside=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30), quote=st.sampled_from("'\"`"))
def test_what_is_quoted_is_never_read_as_cypher(inside: str, quote: str) -> None:
    if quote == "`":
        assume(inside and "\\" not in inside)
        written = inside.replace("`", "``")
    else:
        assume("\\u" not in inside.replace("\\", "\\\\").lower())
        written = inside.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    statement = read_statement(f"RETURN {quote}{written}{quote} AS x")
    assert statement.body == f"RETURN {quote}{written}{quote} AS x"


@given(text=st.text(st.sampled_from(list("ab1 .,()'\"`/*\n$\\;use")), max_size=40))
def test_without_its_comments_a_statement_has_the_same_tokens(text: str) -> None:
    try:
        kept, tokens = tokens_of(text)
    except InvalidInputError:
        return
    assert len(kept) == len(text)
    assert tokens_of(kept) == (kept, tokens)
