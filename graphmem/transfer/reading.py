"""Files to items: the format's reader and parser joined, each fault a refusal with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, assert_never

from graphmem.errors import InvalidInputError, TransferError
from graphmem.transfer.arrays import read_array
from graphmem.transfer.chat import RunIds, chat_parser
from graphmem.transfer.decoding import decode_object
from graphmem.transfer.faults import RecordFault, reason_of
from graphmem.transfer.fields import check_fields
from graphmem.transfer.items import Parsed
from graphmem.transfer.jsonl import parse_message, parse_record
from graphmem.transfer.lines import BYTE_ORDER_MARK, Raw, read_lines
from graphmem.transfer.locomo import read_turns
from graphmem.transfer.outcomes import outcome_rule
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.sources import Source
from graphmem.transfer.swe_agent import swe_agent_parser
from graphmem.transfer.unpacking import unpacked

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BLANK = b" \t\r\n" + BYTE_ORDER_MARK
_LISTS = frozenset({"chat", "locomo", "message"})
"""Formats whose files may be one big list."""

_DOCUMENTS = frozenset({"swe-agent", "skos", "owl"})
"""Formats whose files are one record each."""

_PEEKED = 4096
"""Bytes within which the first character of a file is looked for."""

RawRecords = Iterator[Raw | tuple[int, RecordFault]]


@dataclass(frozen=True, slots=True)
class Read:
    """One record of a file, or why there is none."""

    path: str
    line: int
    size: int
    """Bytes of the record."""
    parsed: Parsed | None
    reason: str = ""
    """Why it was refused; empty when it was read."""


RawRead = tuple[str, int, bytes]
"""File, line and bytes of a record."""

Parser = Callable[[dict[str, Any], str | None], Iterable[Parsed | RecordFault]]
"""Items of one record of a file: mostly one."""


def parser_for(options: ImportOptions) -> Parser:
    """The parser of a format, for all files of one import.

    Raises:
        InvalidInputError: The format is unknown, or an option is malformed or not one of this format.
    """
    foreign = options.fields or options.outcome_map is not None or options.outcome_scale is not None
    match options.format:
        case "jsonl":
            if foreign:
                raise _not_here()
            return _single(parse_record)
        case "message":
            if foreign:
                raise _not_here()
            return _single(parse_message)
        case "locomo":
            if foreign:
                raise _not_here()
            return read_turns
        case "chat" | "swe-agent":
            make = chat_parser if options.format == "chat" else swe_agent_parser
            rule = outcome_rule(options.outcome_map, options.outcome_scale)
            return _single(make(check_fields(options.fields), rule, RunIds()))
        case "wordnet" | "skos" | "owl":
            raise InvalidInputError(f"a {options.format} file has no records of its own: it is read as a whole")
        case _:
            assert_never(options.format)


def read_source(source: Source, options: ImportOptions, parse: Parser, user: str | None) -> Iterator[Read]:
    """All records of a source, in order.

    Args:
        source: What to read.
        options: Format and bounds.
        parse: From `parser_for`.
        user: Whose records are that name nobody.
    """
    for place in raw_source(source, options):
        if isinstance(place, Read):
            yield place
        else:
            yield from _parsed(*place, parse, user)


def raw_source(source: Source, options: ImportOptions) -> Iterator[RawRead | Read]:
    """All records of a source as bytes, in order; those that are refused before they are parsed as such."""
    limit = options.policy.max_record_bytes
    with unpacked(source) as stream:
        for line, data in _named_faults(source.name, _raw_records(stream, options, limit)):
            match data:
                case None:
                    yield Read(source.name, line, limit, None, f"the record is longer than {limit} bytes")
                case RecordFault():
                    yield Read(source.name, line, 0, None, str(data))
                case _:
                    yield source.name, line, data


def _named_faults(path: str, records: RawRecords) -> RawRecords:
    """The same records; a disk that fails is an error that names the file."""
    try:
        yield from records
    except OSError as fault:
        raise TransferError(f"cannot be read further: {fault.strerror or fault}", path=path) from fault


def _parsed(path: str, line: int, data: bytes, parse: Parser, user: str | None) -> Iterator[Read]:
    try:
        items = list(parse(decode_object(data), user))
    except (ValueError, RecursionError) as fault:
        yield Read(path, line, len(data), None, reason_of(fault))
        return
    size = len(data)
    for item in items:
        # the bytes of a record count once, whatever it holds
        if isinstance(item, RecordFault):
            yield Read(path, line, size, None, str(item))
        else:
            yield Read(path, line, size, item)
        size = 0


def _single(parse: Callable[[dict[str, Any], str | None], Parsed]) -> Parser:
    return lambda record, user: (parse(record, user),)


def _not_here() -> InvalidInputError:
    return InvalidInputError("fields and outcome rules belong to the formats chat and swe-agent")


def _raw_records(stream: BinaryIO, options: ImportOptions, limit: int) -> RawRecords:
    if options.format in _DOCUMENTS:
        yield _document(stream, limit)
    else:
        yield from _lines_or_array(_Rewound(stream), options, limit)


def _lines_or_array(stream: _Rewound, options: ImportOptions, limit: int) -> RawRecords:
    if stream.first.startswith(_WIDE_MARKS):
        yield 1, RecordFault("the file is UTF-16: save it as UTF-8")
    elif options.format in _LISTS and stream.first.lstrip(_BLANK).startswith(b"["):
        yield from read_array(stream, limit)  # type: ignore[arg-type]  # only read() is used
    else:
        yield from read_lines(stream, limit)  # type: ignore[arg-type]  # only readline() is used


def _document(stream: BinaryIO, limit: int) -> Raw:
    """A whole file as one record."""
    data = stream.read(limit + len(BYTE_ORDER_MARK) + 1)
    document = data.removeprefix(BYTE_ORDER_MARK)
    return 1, document if len(document) <= limit else None


class _Rewound:
    """A stream whose begin was looked at: standard input cannot be wound back."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._waiting = self.first = stream.read(_PEEKED)

    def read(self, size: int) -> bytes:
        """As a stream's `read`, though perhaps shorter before the end."""
        if self._waiting:
            piece, self._waiting = self._waiting[:size], self._waiting[size:]
            return piece
        return self._stream.read(size)

    def readline(self, size: int) -> bytes:
        """As a stream's `readline`."""
        if not self._waiting:
            return self._stream.readline(size)
        end = self._waiting.find(b"\n", 0, size) + 1 or min(size, len(self._waiting))
        piece, self._waiting = self._waiting[:end], self._waiting[end:]
        if piece.endswith(b"\n") or len(piece) == size:
            return piece
        return piece + self._stream.readline(size - len(piece))
