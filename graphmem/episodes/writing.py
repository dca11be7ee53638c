"""Writes finished episodes: each with its steps, findings and edges, in whole trees.

Left out: recording while an episode runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as with_changes
from datetime import datetime

from graphmem.episodes.derivation import as_given, derived_by_rules
from graphmem.graph.mapping.episode import episode_tree, shared_nodes
from graphmem.graph.records import NodeRecord, NodeRef, Saved, Tree
from graphmem.models.checking import refusals
from graphmem.models.episode import Episode
from graphmem.ports.batches import to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.workspace import Workspace


def write_episodes(
    workspace: Workspace, episodes: Sequence[Episode], recorded_at: datetime, known: set[NodeRef], *, replace: bool
) -> Saved:
    """Save episodes with distinct ids in one transaction; vectors are made before it.

    Args:
        workspace: Where to write.
        episodes: What to keep.
        recorded_at: Becomes created_at.
        known: Tools, concepts and sessions that earlier batches saved; this one adds its own.
        replace: Whether changed content replaces what is stored, steps that are gone included.

    Raises:
        InvalidInputError: A name has nothing a key could hold.
        ConflictError: With replace, another user's episode would be replaced.
    """
    given = [as_given(episode) for episode in episodes]
    with refusals():
        trees = [episode_tree(episode, recorded_at, derived=derived_by_rules(episode)) for episode in given]
        shared = _shared(given, recorded_at, known)
    waiting = to_write(workspace, [tree.root for tree in trees], replace=replace)
    roots = with_vectors([tree.root for tree in trees if tree.root.ref in waiting], workspace.embedder)
    embedded = {root.ref: root for root in roots}
    complete = [_rooted(tree, embedded.get(tree.root.ref, tree.root)) for tree in trees]
    with workspace.graph.transaction() as transaction:
        if shared:
            transaction.save_nodes(shared, replace=False)
        saved = transaction.save_trees(complete, replace=replace)
    known.update(node.ref for node in shared)
    return saved


def _rooted(tree: Tree, root: NodeRecord) -> Tree:
    return tree if root is tree.root else with_changes(tree, root=root)


def _shared(episodes: Sequence[Episode], recorded_at: datetime, known: set[NodeRef]) -> list[NodeRecord]:
    found: dict[NodeRef, NodeRecord] = {}
    for episode in episodes:
        for node in shared_nodes(episode, recorded_at):
            if node.ref not in known:
                found.setdefault(node.ref, node)
    return list(found.values())
