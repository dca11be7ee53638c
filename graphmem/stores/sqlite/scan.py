"""Pages of nodes by keyset: first those with the order's property, then those without, ties by id."""

from __future__ import annotations

from graphmem.graph.records import Cursor, Filter, NodeRecord, Page
from graphmem.stores.sqlite.codec import encode_scalar
from graphmem.stores.sqlite.filters import Condition, column, condition, table
from graphmem.stores.sqlite.nodes import selected, to_record
from graphmem.stores.sqlite.session import Session


def scan(
    session: Session,
    tenant: int,
    label: str,
    where: Filter | None,
    *,
    order: tuple[str, bool],
    after: Cursor | None,
    limit: int,
    generation: int | None,
) -> Page:
    """A page of a tenant's nodes; with a generation they carry its vectors."""
    name, falling = order
    base = _Base(session, tenant, label, where, generation)
    found: list[NodeRecord] = []
    if after is None or after[0] is not None:
        found = base.read(*_valued(name, falling=falling, after=after), limit + 1)
    if name != "id" and len(found) <= limit:
        # a cursor without a value stands among the nodes that have none
        from_id = after[1] if after is not None and after[0] is None else None
        found += base.read(*_valueless(name, from_id), limit + 1 - len(found))
    page = tuple(found[:limit])
    if len(found) <= limit:
        return Page(page, None)
    last = page[-1]
    return Page(page, (last.id if name == "id" else last.properties.get(name), last.id))  # type: ignore[arg-type]  # filterable ones are scalars


def _valued(name: str, *, falling: bool, after: Cursor | None) -> tuple[Condition, str]:
    expression, direction, beyond = column(name), "DESC" if falling else "ASC", "<" if falling else ">"
    if name == "id":
        rest: Condition = ("1", []) if after is None else (f"id {beyond} ?", [after[1]])
        return rest, f"id {direction}"
    rest = f"{expression} IS NOT NULL", []
    if after is not None and after[0] is not None:
        value = encode_scalar(after[0])
        # two comparisons that an index can begin at, instead of one OR that it cannot
        rest = (
            f"{expression} {beyond}= ? AND ({expression} {beyond} ? OR id > ?)",
            [value, value, after[1]],
        )
    return rest, f"{expression} {direction}, id"


def _valueless(name: str, from_id: str | None) -> tuple[Condition, str]:
    missing = f"{column(name)} IS NULL"
    return (missing, []) if from_id is None else (f"{missing} AND id > ?", [from_id]), "id"


class _Base:
    """What the statements of one page share."""

    def __init__(
        self, session: Session, tenant: int, label: str, where: Filter | None, generation: int | None
    ) -> None:
        self._session = session
        self._tenant = tenant
        self._code = session.codes.labels[label]
        self._where = condition(where)
        self._table = table(label, where)
        self._generation = generation

    def read(self, rest: Condition, order: str, limit: int) -> list[NodeRecord]:
        head = [] if self._generation is None else [self._generation]
        sql = (
            f"{selected(vectors=self._generation is not None, source=self._table)}"
            f" WHERE node.tenant = ? AND node.label = {self._code} AND ({self._where[0]}) AND {rest[0]}"
            f" ORDER BY {order} LIMIT ?"
        )
        rows = self._session.rows("scan", sql, [*head, self._tenant, *self._where[1], *rest[1], limit])
        return [to_record(self._session, row) for row in rows]
