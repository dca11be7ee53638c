"""`graphmem copy`: move what a store holds into another store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from graphmem.cli.diagnostics import Exit, complain
from graphmem.cli.opening import settings_of
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_table
from graphmem.cli.progress import Advance, progress
from graphmem.errors import StoreError

if TYPE_CHECKING:
    from graphmem.ports.embedder import EmbedderSpec
    from graphmem.transfer.copying import CopyReport


@dataclass(frozen=True, slots=True)
class _SameVectors:
    """Whose vectors are moved; none is made."""

    spec: EmbedderSpec


@click.command(cls=WithGlobalOptions)
@click.option("--from", "source", required=True, metavar="URL|PATH", help="The store to read.")
@click.option("--to", "target", required=True, metavar="URL|PATH", help="The store to write into.")
@click.option("--all-tenants", is_flag=True, help="Every tenant of the store, not one.")
@click.pass_obj
def copy(invocation: Invocation, source: str, target: str, all_tenants: bool) -> Exit:
    """Move a tenant from one store into another, vectors, patterns and runs included.

    Stopped and run again it goes on. Nothing is removed on the other side. It ends with the counts of both,
    and with 1 when they differ.
    """
    if invocation.store:
        raise click.UsageError("copy has two stores, --from and --to: leave out --store")
    if all_tenants and invocation.tenant:
        raise click.UsageError("give --tenant or --all-tenants, not both")
    with progress(invocation, "Copying") as advance:
        report = _copy(invocation, source, target, advance, all_tenants=all_tenants)
    if invocation.json:
        write_json(report.to_dict())
    else:
        rows = [(label, *counts) for label, counts in report.counts.items()]
        write_table(["label", "from", "to"], rows)
    if not report.complete:
        complain("the counts differ: the target held more before, or somebody wrote meanwhile")
    return Exit.OK if report.complete else Exit.FAILED


def _copy(invocation: Invocation, source: str, target: str, advance: Advance, *, all_tenants: bool) -> CopyReport:
    from graphmem.adapters import open_store  # noqa: PLC0415 (loads everything)
    from graphmem.transfer.copying import copy_store  # noqa: PLC0415 (as above)

    settings = settings_of(invocation)
    there = settings.changed({"store": source}), settings.changed({"store": target})
    if there[0].target() == there[1].target():
        raise click.UsageError("--from and --to are the same store")
    with closing(open_store(there[0], None)) as reading:
        held = reading.tenants()
        tenants = held if all_tenants else [settings.tenant]
        if not set(tenants) & set(held):
            raise StoreError(f"nothing to copy: {there[0].target().address} holds {_named(tenants, held)}")
        spec = reading.info().embedder
        with closing(open_store(there[1], None if spec is None else _SameVectors(spec))) as writing:
            return copy_store(reading, writing, tenants, progress=advance)


def _named(asked: Sequence[str], held: Sequence[str]) -> str:
    if not held:
        return "no tenant"
    return f"no tenant {asked[0]!r}; it has {', '.join(map(repr, held[:5]))}{', ...' if len(held) > 5 else ''}"
