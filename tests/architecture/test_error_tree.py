from __future__ import annotations

import inspect

import pytest

from graphmem import errors


def tree(kind: type[BaseException], depth: int = 0) -> list[tuple[int, str]]:
    """A class and all below it, with their depth."""
    found = [(depth, kind.__name__)]
    for child in kind.__subclasses__():
        if child.__module__ == "graphmem.errors":
            found += tree(child, depth + 1)
    return found


def drawn() -> list[tuple[int, str]]:
    """The tree as the module's docstring draws it."""
    found = []
    for line in (errors.__doc__ or "").splitlines():
        words = line.strip("│├└─ ").split()
        if words and words[0].endswith("Error"):
            place = line.index(words[0]) - 4
            found.append((place // 4, words[0]))
    return found


def test_the_drawing_is_the_tree() -> None:
    assert sorted(drawn()) == sorted(tree(errors.GraphMemError))


def test_every_error_of_the_module_hangs_on_one_root() -> None:
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        assert issubclass(kind, errors.GraphMemError)
        assert kind.__doc__


def test_only_what_may_pass_is_retryable() -> None:
    retryable = {name for _, name in tree(errors.GraphMemError) if getattr(errors, name).retryable}
    assert retryable == {"StoreUnavailableError", "ModelUnavailableError"}


@pytest.mark.parametrize(
    ("error", "attributes"),
    [
        (errors.NotFoundError("episode", "e1"), {"kind": "episode", "id": "e1"}),
        (errors.StatementError("failed", query="graph/get"), {"query": "graph/get"}),
        (errors.ModelUnavailableError("busy", retry_after=2.0), {"retry_after": 2.0}),
        (errors.ReplyError("odd", prompt="p", reply="r"), {"prompt": "p", "reply": "r"}),
        (errors.TransferError("odd", path="a.jsonl", line=3), {"path": "a.jsonl", "line": 3, "reason": "odd"}),
    ],
)
def test_errors_carry_what_a_caller_needs(error: errors.GraphMemError, attributes: dict[str, object]) -> None:
    assert {name: getattr(error, name) for name in attributes} == attributes


def test_an_invalid_input_is_a_value_error_too() -> None:
    assert issubclass(errors.InvalidInputError, ValueError)
