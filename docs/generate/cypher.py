"""The page of Cypher statements, out of the headers of the files under cypher/."""

from __future__ import annotations

from docs.generate.markdown import code, heading, table
from graphmem.queries import Query, query, query_names
from graphmem.reports.named import NAMED_REPORTS

_INTRO = """\
Every statement that graphmem sends to Neo4j is a file under `cypher/`, one statement a file; its path is its name.
The files run unchanged in Neo4j Browser and `cypher-shell`.

* [Reports](#reports) answer analysts' questions. On a SQLite store the same question is answered without Cypher,
  with the same rows.
* [Statements of the store](#statements-of-the-store) are what the Neo4j store is made of.
  Where a label, a relationship type or an index must vary, the file names one of them as a *stand-in*,
  and the program puts another one in its place: always a name out of the closed schema, never text of a user.
* [The schema](#the-schema) is what `graphmem schema migrate` creates.

`CYPHER 5` runs on both supported lines of Neo4j. Where Neo4j 5.26 needs another text,
a file `NAME.v5.cypher` stands beside `NAME.cypher`.

## Reports

```console
$ graphmem query list
$ graphmem query run reports/growth --param days=30 --format csv
$ graphmem query show reports/growth
```

`tenant` and `now` are filled in by graphmem; all other parameters have a default.
"""


def page() -> str:
    """The whole page."""
    parts = [heading("Cypher", "the files under cypher/", _INTRO)]
    parts += [_report(query(name)) for name in query_names("reports")]
    for title, folder in (("Statements of the store", "graph"), ("The schema", "schema")):
        rows = [_row(query(name)) for name in query_names(folder)]
        parts.append(f"## {title}\n\n{table(['name', 'what it does', 'params', 'mode'], rows)}")
    return "\n".join(parts)


def _report(found: Query) -> str:
    defaults = NAMED_REPORTS[found.name].defaults if found.name in NAMED_REPORTS else {}
    params = [f"{code(name)} ({defaults[name]})" if name in defaults else code(name) for name in found.params]
    return (
        f"### {found.name}\n\n{found.doc}\n\n"
        f"* Parameters: {', '.join(params)}\n"
        f"* Columns: {', '.join(map(code, found.returns))}\n\n"
        f"```cypher\n{found.text}\n```\n"
    )


def _row(found: Query) -> list[str]:
    return [code(found.name), found.doc, ", ".join(map(code, found.params)), found.mode]
