"""The page of errors, out of the error tree and the exit codes of the command line."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator

from docs.generate.markdown import code, heading, table
from graphmem import errors
from graphmem.cli.diagnostics import Exit, code_for
from graphmem.errors import GraphMemError

_INTRO = """\
Everything that graphmem raises on purpose is a `GraphMemError`: one `except` catches all of it and nothing else.
A message says what failed, on what, and what to do next.
It never holds a password, a key, or the text of a memory.
`retryable` says whether the same call may succeed later without a change by the caller.
"""


def page() -> str:
    """The whole page."""
    tree = "\n".join(_tree(GraphMemError))
    parts = [heading("Errors", "graphmem/errors.py", f"{_INTRO}\n```text\n{tree}\n```\n")]
    parts += [_section(error) for error in _all(GraphMemError)]
    meanings = _meanings()
    rows = [[code(int(exit_)), meanings.get(exit_.name, "The command did all that was asked.")] for exit_ in Exit]
    parts.append(f"## Exit codes of the command line\n\n{table(['code', 'meaning'], rows)}")
    return "\n".join(parts)


def _all(error: type[GraphMemError]) -> Iterator[type[GraphMemError]]:
    yield error
    for below in _below(error):
        yield from _all(below)


def _below(error: type[GraphMemError]) -> list[type[GraphMemError]]:
    return [found for found in error.__subclasses__() if found.__module__ == errors.__name__]


def _tree(error: type[GraphMemError], before: str = "") -> Iterator[str]:
    if not before:
        yield error.__name__
    below = _below(error)
    for found in below:
        last = found is below[-1]
        yield f"{before}{'└──' if last else '├──'} {found.__name__}"
        yield from _tree(found, f"{before}{'    ' if last else '│   '}") if _below(found) else ()


def _section(error: type[GraphMemError]) -> str:
    lines = [f"## {error.__name__}", "", inspect.cleandoc(error.__doc__ or ""), ""]
    if error is not GraphMemError:
        lines.append(f"* Is a {', '.join(code(base.__name__) for base in error.__bases__)}.")
        lines.append(f"* Exit code of the command line: {_exit_code(error)}.")
        lines.append(f"* Retryable: {'yes' if error.retryable else 'no'}.")
    lines += [f"* `.{name}`{f': {words}' if words else ''}" for name, words in _attributes(error)]
    return "\n".join(lines).rstrip() + "\n"


def _exit_code(error: type[GraphMemError]) -> str:
    return code(int(code_for(error.__new__(error))))


def _attributes(error: type[GraphMemError]) -> Iterator[tuple[str, str]]:
    """What the constructor of this very type sets, with the words below each."""
    if "__init__" not in vars(error):
        return
    tree = ast.parse(textwrap.dedent(inspect.getsource(error.__init__)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)  # noqa: S101 (the source of a function is one)
    for statement, following in zip(function.body, [*function.body[1:], None], strict=True):
        match statement:
            case ast.Assign(targets=[ast.Attribute(attr=name)]):
                yield name, _words(following)
            case _:
                pass


def _meanings() -> dict[str, str]:
    """The words below each exit code."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(Exit))).body[0]
    assert isinstance(tree, ast.ClassDef)  # noqa: S101 (the source of a class is one)
    return {
        statement.targets[0].id: _words(following)
        for statement, following in zip(tree.body, [*tree.body[1:], None], strict=True)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and _words(following)
    }


def _words(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str() as words)):
            return " ".join(words.split())
        case _:
            return ""
