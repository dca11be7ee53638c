"""The command `graphmem`: the table of its commands, each loaded when it runs.

Imports nothing but click, so that `graphmem --help` starts at once.
"""

from __future__ import annotations

import click

from graphmem.cli.lazy import Entry, LazyGroup

COMMANDS = {
    "demo": Entry("graphmem.cli.demo:demo", "Run the main job on sample episodes that ship with the package."),
    "import": Entry("graphmem.cli.importing:import_files", "Read episodes, messages and memories from files."),
    "export": Entry("graphmem.cli.exporting:export", "Write a tenant as JSON Lines."),
    "copy": Entry("graphmem.cli.copying:copy", "Move a store's content into another store."),
    "episodes": Entry("graphmem.cli.episodes:episodes", "Look at what was experienced."),
    "boundary": Entry("graphmem.cli.boundary:boundary", "Say where a conversation's episodes begin and end."),
    "extract": Entry("graphmem.cli.extracting:extract", "Show the concepts and relations that a text states."),
    "remember": Entry("graphmem.cli.remembering:remember", "Keep a fact, a preference or a lesson."),
    "facts": Entry("graphmem.cli.facts:facts", "Look at facts, and at when they held."),
    "recall": Entry("graphmem.cli.recalling:recall", "Find what fits a text, best first."),
    "context": Entry("graphmem.cli.recalling:context", "Write what fits a text as a block for a prompt."),
    "consolidate": Entry("graphmem.cli.consolidating:consolidate", "Link experience to concepts."),
    "concepts": Entry("graphmem.cli.concepts:concepts", "Look at concepts and relate them."),
    "patterns": Entry("graphmem.cli.patterns:patterns", "Mine and read what recurs across episodes."),
    "procedures": Entry("graphmem.cli.procedures:procedures", "Look at learned ways of doing something."),
    "query": Entry("graphmem.cli.queries:query", "Run the named queries of analysts."),
    "forget": Entry("graphmem.cli.forgetting:forget", "Remove one item."),
    "erase": Entry("graphmem.cli.erasing:erase", "Remove a whole tenant, or one user's part of it."),
    "schema": Entry("graphmem.cli.schema:schema", "Look at a store's schema and bring it up to date."),
    "doctor": Entry("graphmem.cli.doctor:doctor", "Check everything about a store that may be wrong."),
    "settings": Entry("graphmem.cli.settings:settings", "Show the settings and where each comes from."),
}
"""Every command: where it is, and its line in the help."""


@click.group(
    "graphmem",
    cls=LazyGroup,
    entries=COMMANDS,
    epilog="Exit codes: 0 done, 1 failed, 2 usage or settings, 3 store unavailable, 4 model unavailable, "
    "130 interrupted.",
)
def main() -> None:
    """A knowledge-graph memory for software agents.

    Episodes go in, concepts and the patterns that recur across runs come out. The store is one file
    (graphmem.db in this folder unless --store says otherwise) or your own Neo4j.
    """
