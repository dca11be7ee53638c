"""Builds a model from a caller's values and says what is wrong with them, in graphmem's own error.

Leaves out the values themselves: a message of pydantic repeats its input, which may be a person's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from graphmem.errors import GraphMemError, InvalidInputError

Model = TypeVar("Model", bound=BaseModel)


def checked(model: type[Model], fields: Mapping[str, Any]) -> Model:
    """A model of these fields.

    Raises:
        InvalidInputError: Fields that are refused, each with its reason.
    """
    try:
        return model(**fields)
    except ValidationError as fault:
        raise InvalidInputError(f"{model.__name__.lower()}: {reasons(fault)}") from None


def model_or_fields(model: type[Model], given: Model | Mapping[str, Any]) -> Model:
    """What a caller gave, made a model where it is a mapping of its fields.

    Raises:
        InvalidInputError: It is neither, or fields are refused.
    """
    return given if isinstance(given, model) else checked(model, fields_of(given, model.__name__))


def fields_of(given: object, name: str) -> Mapping[str, Any]:
    """What a caller gave in place of a model of this name: a mapping.

    Raises:
        InvalidInputError: It is none.
    """
    if isinstance(given, Mapping):
        return given
    article = "an" if name[0] in "AEIOU" else "a"
    raise InvalidInputError(
        f"{given.__class__.__name__} is no {name.lower()}; give {article} {name} or a mapping of its fields"
    )


def checked_by(adapter: TypeAdapter[Model], fields: Mapping[str, Any], what: str) -> Model:
    """A model of a union, chosen by its discriminator.

    Raises:
        InvalidInputError: Fields that are refused, each with its reason.
    """
    try:
        return adapter.validate_python(dict(fields))
    except ValidationError as fault:
        raise InvalidInputError(f"{what}: {reasons(fault)}") from None


def reasons(fault: ValidationError) -> str:
    """All faults in one line: the place of each and the rule it breaks, without the value."""
    return "; ".join(_reason(error["loc"], error["msg"]) for error in fault.errors(include_input=False))


def _reason(location: tuple[int | str, ...], message: str) -> str:
    place = ".".join(map(str, location))
    words = in_words(message)
    return f"{place}: {words}" if place else words


def in_words(message: str) -> str:
    """A message of pydantic as whoever wrote the values would put it: without the kinds of Python."""
    told = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return told.replace("a valid tuple", "a list")


@contextmanager
def refusals() -> Iterator[None]:
    """Turns a ValueError of the pure mappings (a name no key can hold) into graphmem's own error.

    Raises:
        InvalidInputError: With the same words; of a model's faults the reasons, without its values.
    """
    try:
        yield
    except GraphMemError:
        raise
    except ValidationError as fault:
        raise InvalidInputError(f"{fault.title.lower()}: {reasons(fault)}") from None
    except ValueError as fault:
        raise InvalidInputError(str(fault)) from None
