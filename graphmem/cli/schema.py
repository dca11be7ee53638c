"""`graphmem schema`: a store's schema, its migrations, its vectors and its indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import say
from graphmem.cli.opening import opened, settings_of
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_lines, write_pairs
from graphmem.cli.progress import progress

if TYPE_CHECKING:
    from graphmem.ports.embedder import EmbedderSpec


@click.group(cls=WithGlobalOptionsGroup)
def schema() -> None:
    """Look at a store's schema and bring it up to date."""


@schema.command()
@click.pass_obj
def status(invocation: Invocation) -> None:
    """Show what the store is and whether its schema fits this program."""
    from graphmem.graph.schema import SCHEMA_VERSION  # noqa: PLC0415 (loaded when the command runs)

    with opened(invocation) as memory:
        info = memory.store.info()
    state = _state(info.schema_version, SCHEMA_VERSION)
    answer = {
        "kind": info.kind,
        "address": info.address,
        "version": info.version,
        "edition": info.edition or None,
        "schema_version": info.schema_version,
        "program_version": SCHEMA_VERSION,
        "state": state,
        "embedder": _spec(info.embedder),
        "reembedding": _spec(info.reembedding),
    }
    if invocation.json:
        write_json(answer)
        return
    shown = {name: value["name"] if isinstance(value, dict) else value for name, value in answer.items()}
    write_pairs((name.replace("_", " "), value) for name, value in shown.items())


@schema.command()
@click.pass_obj
def migrate(invocation: Invocation) -> None:
    """Bring the schema to this program's version; safe to run again."""
    from graphmem.ports.alias_index import index_aliases  # noqa: PLC0415 (loaded when the command runs)
    from graphmem.ports.noted_graph import NotedGraph  # noqa: PLC0415 (loaded when the command runs)

    with opened(invocation) as memory:
        before, after = memory.store.migrate()
        if before != after:
            for tenant in memory.store.tenants():
                index_aliases(NotedGraph(memory.store.tenant(tenant)))
    if invocation.json:
        write_json({"before": before, "after": after})
    else:
        write_lines([f"schema {after}" if before == after else f"schema {before} -> {after}"])


@schema.command()
@click.option("--embedder", required=True, metavar="NAME", help="use, minilm, hashing, or openai:MODEL.")
@click.pass_obj
def reembed(invocation: Invocation, embedder: str) -> None:
    """Give everything vectors of another embedder, then switch to them at once.

    Recall works with the old vectors until then. Stopped and run again it goes on.
    """
    from graphmem.transfer.reembedding import reembed_store  # noqa: PLC0415 (loaded when the command runs)

    usual = settings_of(invocation).embedder
    with opened(invocation, embedder=embedder) as memory, progress(invocation, "Embedding") as advance:
        model = memory.workspace.embedder
        if model is None:
            raise click.UsageError("the embedder none makes no vectors; name another one")
        embedded = reembed_store(memory.store, model, progress=lambda _, count: advance(count))
    if invocation.json:
        write_json({"embedder": embedder, "embedded": embedded})
    else:
        write_lines([f"{count} {label}" for label, count in embedded.items()] or ["nothing left to embed"])
    if usual != embedder:
        say(
            invocation,
            f"The settings still say {usual!r}: set GRAPHMEM_EMBEDDER={embedder}, or embedder in graphmem.toml.",
        )


@schema.command()
@click.pass_obj
def reindex(invocation: Invocation) -> None:
    """Build the search indexes anew from what is stored."""
    with opened(invocation) as memory:
        memory.store.reindex()
    if invocation.json:
        write_json({"reindexed": True})
    else:
        write_lines(["indexes built anew"])


def _state(found: int, needed: int) -> str:
    if found == needed:
        return "current"
    if found == 0:
        return "empty: the first write creates the schema"
    return "older: run `graphmem schema migrate`" if found < needed else "newer: update graphmem"


def _spec(spec: EmbedderSpec | None) -> dict[str, Any] | None:
    if spec is None:
        return None
    return {"name": spec.name, "dimension": spec.dimension, "normalised": spec.normalised}
