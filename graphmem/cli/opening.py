"""Opens the memory that the global options and the settings name."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphmem.cli.diagnostics import say
from graphmem.cli.options import Invocation

if TYPE_CHECKING:
    from graphmem.memory import GraphMemory
    from graphmem.settings import Settings


def settings_of(invocation: Invocation, **given: Any) -> Settings:
    """The settings under which this command runs.

    Args:
        invocation: What was typed.
        **given: Other settings by name, of a policy such as consolidation={"max_items": 3}; None: not given.

    Raises:
        SettingsError: A setting is refused.
    """
    from graphmem.settings import load_settings  # noqa: PLC0415 (loads the models)

    arguments: dict[str, Any] = {
        name: getattr(invocation, name) for name in ("store", "tenant", "user", "database")
    }
    for name, value in given.items():
        if isinstance(value, dict):
            arguments[name] = {key: part for key, part in value.items() if part is not None} or None
        else:
            arguments[name] = value
    return load_settings(arguments, config=invocation.config)


@contextmanager
def opened(invocation: Invocation, **given: Any) -> Iterator[GraphMemory]:
    """The memory of this command, closed afterwards.

    Args:
        invocation: What was typed.
        **given: As for `settings_of`.

    Raises:
        SettingsError: A setting is refused.
        StoreUnavailableError: The store cannot be reached.
    """
    from graphmem.bootstrap import open_memory  # noqa: PLC0415 (loads everything)

    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")  # whatever the environment says of Python's own warnings
        memory = open_memory(settings_of(invocation, **given))
    for one in raised:
        say(invocation, str(one.message))
    with memory:
        yield memory


def note_nothing_found(invocation: Invocation, memory: GraphMemory, what: str = "nothing found") -> None:
    """Say on stderr where was looked, and whether there is anything at all."""
    graph = memory.workspace.graph
    address = memory.store.info().address
    is_empty = not any(graph.count(label) for label in ("Episode", "Message", "Memory", "Concept", "Procedure"))
    whose = f" of user {memory.user!r}" if memory.user else ""
    where = f"in tenant {memory.tenant!r} of {address}{', which is empty' if is_empty else ''}"
    say(invocation, f"{what[:1].upper()}{what[1:]}{whose} {where}.")
