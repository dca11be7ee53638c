"""`graphmem query`: the named queries of analysts, the same on every store."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from graphmem.cli.opening import note_nothing_found, opened, settings_of
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import Format, write_csv, write_json, write_table, write_text
from graphmem.cli.values import PAIR, as_mapping


@click.group(cls=WithGlobalOptionsGroup)
def query() -> None:
    """Run the named queries of analysts."""


@query.command("list")
@click.pass_obj
def list_queries(invocation: Invocation) -> None:
    """List the queries with their parameters."""
    from graphmem.queries import query as statement  # noqa: PLC0415 (loaded when the command runs)
    from graphmem.reports.named import NAMED_REPORTS  # noqa: PLC0415 (as above)

    found = [(name, statement(name).doc, report.defaults) for name, report in NAMED_REPORTS.items()]
    if invocation.json:
        write_json([{"name": name, "doc": doc, "params": dict(defaults)} for name, doc, defaults in found])
    else:
        rows = [[name, _parameters(defaults), doc] for name, doc, defaults in found]
        write_table(["name", "parameters", "what it tells"], rows, whole=True)


@query.command()
@click.argument("name")
@click.pass_obj
def show(invocation: Invocation, name: str) -> None:
    """Show the Cypher of the query NAME; it runs as it is in Neo4j's own shell."""
    from graphmem.queries import query as statement  # noqa: PLC0415 (loaded when the command runs)

    found = statement(name)
    if invocation.json:
        write_json(
            {
                "name": found.name,
                "doc": found.doc,
                "params": list(found.params),
                "returns": list(found.returns),
                "mode": found.mode,
                "text": found.text,
            }
        )
    else:
        write_text(found.path.read_text(encoding="utf-8"))


_PARAM = click.option("--param", "params", type=PAIR, multiple=True, metavar="NAME=VALUE", help="May be repeated.")
_FORMAT = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How the rows are written.",
)


@query.command()
@click.argument("name")
@_PARAM
@_FORMAT
@click.pass_obj
def run(invocation: Invocation, name: str, params: Sequence[tuple[str, str]], format_: Format) -> None:
    """Run the query NAME and print its rows."""
    from graphmem.queries import query as statement  # noqa: PLC0415 (loaded when the command runs)
    from graphmem.reports.named import named_report  # noqa: PLC0415 (as above)

    given = {key: _value(text) for key, text in as_mapping(params, "--param").items()}
    checked = named_report(name).parameters(name, given)
    with opened(invocation) as memory:
        rows = memory.query(name, **checked).to_dicts()
        if not rows:
            note_nothing_found(invocation, memory)
    present_rows("json" if invocation.json else format_, statement(name).returns, rows)


@query.command()
@click.argument("text")
@click.option("--all-tenants", is_flag=True, help="Needed: says that you know it sees every tenant.")
@_PARAM
@_FORMAT
@click.pass_obj
def cypher(
    invocation: Invocation,
    text: str,
    all_tenants: bool,
    params: Sequence[tuple[str, str]],
    format_: Format,
) -> None:
    """Run the Cypher TEXT of an operator on a Neo4j store; it can see every tenant.

    Off unless the setting allow_cypher turns it on. It only reads: what the server would do is looked at first.
    """
    if not all_tenants:
        raise click.UsageError("query cypher can see every tenant: say so with --all-tenants")
    from graphmem.bootstrap import run_free_cypher  # noqa: PLC0415 (loads everything)

    given = {name: _value(value) for name, value in as_mapping(params, "--param").items()}
    with opened(invocation) as memory:
        answer = run_free_cypher(settings_of(invocation), memory.store, text, given)
    if answer.truncated:
        setting = f"cypher_max_{answer.truncated}"
        # -q does not leave this out: what follows looks whole
        click.echo(f"The answer is cut off after {len(answer.rows)} rows by the setting {setting}.", err=True)
    if invocation.json or format_ == "json":
        write_json({"columns": answer.columns, "rows": answer.rows, "truncated": answer.truncated})
    else:
        present_rows(format_, answer.columns, answer.rows)


def present_rows(format_: Format, columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    """Rows in the form that was asked for.

    Args:
        format_: table, csv or json.
        columns: What every row holds, in order.
        rows: A dict a row.
    """
    if format_ == "json":
        write_json(rows)
    elif format_ == "csv":
        write_csv(columns, ([row[column] for column in columns] for row in rows))
    elif rows:
        write_table(columns, ([row[column] for column in columns] for row in rows))


def _value(text: str) -> Any:
    """A number, a truth value or a list where it is written as JSON, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parameters(defaults: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in defaults.items())
