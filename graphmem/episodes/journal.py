"""The stored side of a recording: writes each state of an open episode, and closes it.

Every write expects the content that the one before left, so a second writer gets a ConflictError.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Self

from graphmem.episodes.closing import Closing, closed, closing_text
from graphmem.episodes.conversations import is_conversation
from graphmem.episodes.finalising import finalise
from graphmem.episodes.reading import read_episodes, read_given_episodes
from graphmem.episodes.spool import Spool
from graphmem.episodes.tree_changes import tree_changes, write_changes
from graphmem.errors import ConflictError, RecordingError, StoreError, StoreUnavailableError
from graphmem.graph.mapping.episode import episode_tree, is_closed, shared_nodes
from graphmem.graph.records import NodeRecord, NodeRef, Tree
from graphmem.models.checking import refusals
from graphmem.models.episode import Episode
from graphmem.ports.graph_store import Transaction
from graphmem.ports.workspace import Workspace


class Journal:
    """One open episode in the store, or in the spool where that is away and the caller allows it.

    Args:
        workspace: Where it is stored.
        episode: As it is now.
        created_at: When it was recorded first.
        spool: Where to go on when the store is away; None: raise.
        stored: What the store holds; None: nothing yet.
    """

    def __init__(
        self,
        workspace: Workspace,
        episode: Episode,
        created_at: datetime,
        *,
        spool: Spool | None = None,
        stored: NodeRecord | None = None,
    ) -> None:
        self._workspace = workspace
        self._spool = spool
        self._created_at = created_at
        self._hash = None if stored is None else stored.content_hash
        self.episode = episode
        """As recorded so far."""
        self.is_spooled = False
        """Whether the store went away."""
        self.is_ended = False
        """Whether how it ended is kept, in the store or in the spool."""

    @classmethod
    def begin(cls, workspace: Workspace, episode: Episode, spool: Spool | None) -> Self:
        """Store a new open episode.

        Raises:
            ConflictError: There is an episode of this id, in the store or in the spool.
        """
        if spool is not None and spool.holds(episode.id):
            raise ConflictError(
                f"a recording of episode {episode.id!r} waits in {spool.path(episode.id)}: import it and remove"
                " the file, or choose another id"
            )
        journal = cls(workspace, episode, workspace.now(), spool=spool)
        journal.record(episode)
        return journal

    @classmethod
    def resume(cls, workspace: Workspace, root: NodeRecord, spool: Spool | None) -> Self:
        """Go on with a stored open episode.

        Raises:
            RecordingError: It is closed, has ended and only waits to be finalised, or is made of messages.
        """
        if is_closed(root):
            raise RecordingError(
                f"episode {root.id!r} is closed: begin another one, or correct it with set_outcome"
            )
        if "closing" in root.properties:
            raise RecordingError(f"episode {root.id!r} has ended: episodes.finalize finishes it")
        if is_conversation(root.properties):
            raise RecordingError(
                f"episode {root.id!r} is made of messages: add the next one, or end it with episodes.finalize"
            )
        (episode,) = read_given_episodes(workspace.graph, [root])
        created_at = root.properties["created_at"]
        assert isinstance(created_at, datetime)  # noqa: S101 (every node carries it)
        return cls(workspace, episode, created_at, spool=spool, stored=root)

    def now(self) -> datetime:
        """This moment in UTC."""
        return self._workspace.now()

    def record(self, episode: Episode) -> None:
        """Store the episode's next state.

        Raises:
            InvalidInputError: A name has nothing a key could hold; nothing was written.
            ConflictError: Somebody else wrote to it.
            StoreError: It could not be stored.
        """
        known = 0 if self._hash is None else _same_steps(self.episode, episode)
        with refusals():
            tree = episode_tree(episode, self._created_at, first=known)
        if not self.is_spooled:
            try:
                self._store(episode, tree, known)
            except StoreUnavailableError:
                self._go_to_spool()
        if self.is_spooled:
            self._spooled(episode)
        self.episode = episode

    def _store(self, episode: Episode, tree: Tree, known: int) -> None:
        """Write a state of which the first steps are stored; a long recording writes its end alone."""
        if self._hash is None:
            with self._workspace.graph.transaction() as transaction:
                _save_shared(transaction, shared_nodes(episode, self._workspace.now()))
                _add(transaction, tree)
        else:
            changes = tree_changes(episode_tree(self.episode, self._created_at, first=known), tree)
            # whoever else may have removed what nothing named any more: all that a new edge needs is saved
            ends = {edge.target for edge in changes.linked}
            shared = [node for node in shared_nodes(episode, self._workspace.now()) if node.ref in ends]
            root = tree.root
            with self._workspace.graph.transaction() as transaction:
                self._refuse_foreign(transaction.get([root.ref]).get(root.ref))
                _save_shared(transaction, shared)
                transaction.save_nodes([root], expected={root.ref: self._hash})
                write_changes(transaction, changes)
        self._hash = tree.root.content_hash

    def interrupt(self, why: str) -> None:
        """Note why the episode is left open.

        Raises:
            ConflictError: Somebody else wrote to it, or removed it.
        """
        if self.is_spooled:
            return
        try:
            self._note("interrupted", why)
        except StoreUnavailableError:
            self._go_to_spool()
            self._spooled(self.episode)

    def close(self, closing: Closing) -> Episode:
        """Close and finalise the episode.

        Returns:
            The episode as it is stored, or as it was spooled.

        Raises:
            InvalidInputError: It would end before it started; it stays open.
            ModelError: A model failed; how it ended is kept, so that it can be finalised later.
            ConflictError: Somebody else wrote to it.
        """
        with refusals():
            ended = closed(self.episode, closing)
            episode_tree(ended, self._created_at)  # an intent that cannot be stored must not be kept
        if not self.is_spooled:
            try:
                return self._close_stored(closing)
            except StoreUnavailableError:
                self._go_to_spool()
        self._spooled(ended)
        self.is_ended = True
        self.episode = ended
        return ended

    def _close_stored(self, closing: Closing) -> Episode:
        root = self._stored_root()
        if self._workspace.language_model is not None:
            # the model may take a minute: what was said is kept before it is asked
            self._keep(closing)
        try:
            finalise(self._workspace, root, closing)
        except StoreError:
            raise
        except BaseException:  # a foreign model may raise anything, and Ctrl-C ends a call that hangs
            if not self.is_ended:
                self._keep(closing)
            raise
        self.is_ended = True
        root = self._workspace.graph.get([root.ref])[root.ref]
        (self.episode,) = read_episodes(self._workspace.graph, [root])
        return self.episode

    def _stored_root(self) -> NodeRecord:
        ref = NodeRef("Episode", self.episode.id)
        return self._refuse_foreign(self._workspace.graph.get([ref]).get(ref))

    def _refuse_foreign(self, root: NodeRecord | None) -> NodeRecord:
        """The stored episode, unless it is another one than this recording left, or how it ended is said."""
        if root is None or root.content_hash != self._hash or is_closed(root) or "closing" in root.properties:
            raise ConflictError(
                f"somebody else wrote to episode {self.episode.id!r}, or removed it: read it again and decide"
            )
        return root

    def _keep(self, closing: Closing) -> None:
        self._note("closing", closing_text(closing))
        self.is_ended = True

    def _note(self, name: str, value: str) -> None:
        """Set a property that is no content of the stored episode."""
        ref = NodeRef("Episode", self.episode.id)
        with self._workspace.graph.transaction() as transaction:
            self._refuse_foreign(transaction.get([ref]).get(ref))
            transaction.set_properties("Episode", [(self.episode.id, {name: value})])

    def _go_to_spool(self) -> None:
        if self._spool is None:
            raise  # noqa: PLE0704 (called while the fault that brought us here is handled)
        self.is_spooled = True

    def _spooled(self, episode: Episode) -> None:
        assert self._spool is not None  # noqa: S101 (is_spooled says so)
        self._spool.write(episode)


def _same_steps(before: Episode, after: Episode) -> int:
    """How many steps two states begin with alike."""
    pairs = zip(before.steps, after.steps, strict=False)
    differing = (index for index, (old, new) in enumerate(pairs) if old is not new and old != new)
    return next(differing, min(len(before.steps), len(after.steps)))


def _save_shared(transaction: Transaction, shared: Sequence[NodeRecord]) -> None:
    if shared:
        transaction.save_nodes(shared, replace=False)


def _add(transaction: Transaction, tree: Tree) -> None:
    """Store a new episode.

    Raises:
        ConflictError: There is one of this id.
    """
    if not transaction.save_trees([tree]).added:
        raise ConflictError(f"there is an episode {tree.root.id!r} already: choose another id, or resume it")
