"""Every setting with its bounds and its one default, and where its value comes from.

Arguments come before environment variables, those before graphmem.toml, that before the defaults.
Read by bootstrap and the front ends only.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.episodes.boundaries import BoundaryPolicy
from graphmem.errors import SettingsError
from graphmem.graph.predicates import FactPolicy
from graphmem.models.checking import in_words
from graphmem.models.ids import DEFAULT_TENANT, Id
from graphmem.patterns.policy import MiningPolicy
from graphmem.recall.recipes import RecallRecipe
from graphmem.targets import Target, has_password, parse_target

CONFIG_FILE = "graphmem.toml"
"""Read from the current folder when no other file is named."""

DEFAULT_STORE = "graphmem.db"
"""The store when none is named: a file in the current folder."""

_OWN_VARIABLES = {
    "database": ("NEO4J_DATABASE",),
    "username": ("NEO4J_USERNAME",),
    "password": ("NEO4J_PASSWORD",),
    "neo4j_uri": ("NEO4J_URI",),
    "openai_base_url": ("OPENAI_BASE_URL",),
    "openai_api_key": ("OPENAI_API_KEY",),
}
"""Settings that others' variables hold; all others are read from GRAPHMEM_<NAME>."""

_SECRET = "(set)"  # noqa: S105 (what is shown in place of a secret)


class Settings(BaseModel):
    """All settings of a memory; frozen, unknown names refused, secrets never shown."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    store: str = Field(DEFAULT_STORE, description="Path, sqlite:///path, Neo4j address, or neo4j for NEO4J_URI.")
    tenant: Id = Field(DEFAULT_TENANT, description="Whose memory it is: nothing ever crosses it.")
    user: Id | None = Field(None, description="Stamps what is written and filters what is read.")
    database: str | None = Field(None, min_length=1, description="Database on a Neo4j server; none: its default.")
    username: str = Field("neo4j", min_length=1, description="User on a Neo4j server.")
    password: SecretStr | None = Field(None, description="Password on a Neo4j server; none: no authentication.")
    neo4j_uri: SecretStr | None = Field(
        None, description="Address that the store 'neo4j' means; used for nothing else."
    )
    embedder: str = Field(
        "use",
        pattern=r"^(use|minilm|hashing|none|openai:\S+)$",
        description="use, minilm (English alone; run make weights first), hashing, none, or "
        "openai:<model> for any OpenAI-compatible service.",
    )
    embedding_dimension: Annotated[int, Field(ge=1, le=16384)] | None = Field(
        None, description="Length of the vectors of an openai: model; none: known for OpenAI's own models."
    )
    openai_base_url: str | None = Field(None, description="Root of an OpenAI-compatible API; none: OpenAI's own.")
    openai_api_key: SecretStr | None = Field(None, description="Its key; local services need none.")
    language_model: str = Field(
        "none",
        pattern=r"^(none|openai:\S+)$",
        description="none, or openai:<model> for any OpenAI-compatible service: writes summaries and lessons,"
        " which rules write else.",
    )
    language_model_base_url: str | None = Field(
        None, description="Root of its API where it is not openai_base_url; openai_api_key is never sent there."
    )
    language_model_api_key: SecretStr | None = Field(
        None, description="Its key where that is not openai_api_key; local services need none."
    )
    language_model_timeout_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        60.0, description="Seconds that the language model's service may keep silent."
    )
    language_model_cache: bool = Field(
        default=True, description="Whether replies are remembered, in the memory of the process alone."
    )
    max_model_calls: Annotated[int, Field(ge=0)] | None = Field(
        None,
        description="Most calls to the language model of one opened memory, retries included; none: no bound.",
    )
    max_model_tokens: Annotated[int, Field(ge=0)] | None = Field(
        None, description="Tokens of requests and replies after which no call begins; none: no bound."
    )
    analyzer: Literal["auto", "plain", "spacy", "kiwi"] = Field(
        "auto",
        description="How sentences are cut into words for extraction: auto takes spaCy for English and kiwi for "
        "Korean where they are installed, plain takes neither.",
    )
    max_refused: Annotated[int, Field(ge=0)] = Field(
        0, description="Refused records of an import up to which it ends well."
    )
    max_record_bytes: Annotated[int, Field(ge=1024, le=1 << 30)] = Field(
        16 << 20, description="Bytes of a record of an import; a longer one is refused unread."
    )
    allow_cypher: bool = Field(
        default=False, description="Whether operators may run free Cypher, which sees every tenant."
    )
    cypher_timeout_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        30.0, description="Seconds that a free Cypher query may take."
    )
    cypher_max_rows: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        10_000, description="Rows of a free Cypher query at most."
    )
    cypher_max_bytes: Annotated[int, Field(ge=1024, le=1 << 30)] = Field(
        16 << 20, description="Bytes of a free Cypher query's answer at most."
    )
    recall: RecallRecipe = Field(RecallRecipe(), description="How recall ranks.")
    consolidation: ConsolidationPolicy = Field(ConsolidationPolicy(), description="Bounds of consolidation.")
    facts: FactPolicy = Field(FactPolicy(), description="How statements about the same subject are weighed.")
    mining: MiningPolicy = Field(MiningPolicy(), description="Bounds of pattern mining.")
    boundary: BoundaryPolicy = Field(BoundaryPolicy(), description="How conversations are cut into episodes.")

    _sources: dict[str, str] = PrivateAttr(default_factory=dict)

    @field_validator("store")
    @classmethod
    def _store_holds_no_password(cls, store: str) -> str:
        if has_password(store):
            raise ValueError(
                "a user or password stands in the address; put them into NEO4J_USERNAME and NEO4J_PASSWORD"
            )
        return store

    def model_post_init(self, context: Any, /) -> None:
        """Settings made by hand come from arguments, until `load_settings` says otherwise."""
        del context
        given = {name: getattr(self, name) for name in self.model_fields_set}
        self._sources = dict.fromkeys(_leaf_names(given), "argument")

    def source(self, name: str) -> str:
        """Where the value of a setting comes from: argument, a variable, a file, or default."""
        return self._sources.get(name, "default")

    def target(self) -> Target:
        """Where the memory is kept.

        Raises:
            SettingsError: `store` is no target.
        """
        return parse_target(self.store, None if self.neo4j_uri is None else self.neo4j_uri.get_secret_value())

    def rows(self) -> Iterator[SettingRow]:
        """Every setting with its value, where it comes from and what it means; secrets redacted."""
        for name, field in leaves():
            value: Any = self
            for part in name.split("."):
                value = getattr(value, part)
            shown = _SECRET if isinstance(value, SecretStr) else value
            yield SettingRow(name, shown, self.source(name), variables(name), field.description or "")

    def changed(self, arguments: Mapping[str, Any]) -> Settings:
        """These settings with some arguments in place of their values.

        Args:
            arguments: Values by name; None: not given.

        Raises:
            SettingsError: A name is unknown or a value is refused.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        refuse_unknown(given, "argument")
        own = {name: getattr(self, name) for name in self.model_fields_set}
        sources = {**self._sources, **dict.fromkeys(_leaf_names(given), "argument")}
        return _validated({**own, **given}, sources)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting as it is shown."""

    name: str
    value: Any
    source: str
    variables: tuple[str, ...]
    """Environment variables that hold it, the first one that is set counts."""
    description: str


def load_settings(
    arguments: Mapping[str, Any],
    *,
    environ: Mapping[str, str] | None = None,
    config: str | os.PathLike[str] | None = None,
) -> Settings:
    """Put the settings together.

    Args:
        arguments: Values by name; None: not given.
        environ: Environment variables; None: the process's.
        config: A TOML file; None: graphmem.toml of the current folder, when it is there.

    Raises:
        SettingsError: A name is unknown, a value is refused, or the file cannot be read; the message
            names the setting and where its value comes from.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    refuse_unknown(given, "argument")
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    path, table = _read_file(config)
    _overlay(values, sources, table, f"file {path}")
    for name, variable, value in _from_environment(os.environ if environ is None else environ):
        _overlay(values, sources, _nested(name, value), f"environment {variable}")
    _overlay(values, sources, given, "argument")
    return _validated(values, sources)


def leaves() -> Iterator[tuple[str, FieldInfo]]:
    """Every single setting by its dotted name."""
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, BaseModel):
            yield from ((f"{name}.{inner}", part) for inner, part in type(field.default).model_fields.items())
        else:
            yield name, field


def variables(name: str) -> tuple[str, ...]:
    """The environment variables that hold a setting, by its dotted name."""
    own = f"GRAPHMEM_{name.replace('.', '_').upper()}"
    if name == "database":
        return (own, *_OWN_VARIABLES[name])
    return _OWN_VARIABLES.get(name, (own,))


def refuse_unknown(given: Mapping[str, Any], source: str) -> None:
    """Refuse names that are no setting.

    Raises:
        SettingsError: The name, where it stands, and the nearest known name.
    """
    known = dict(Settings.model_fields)
    for name, value in given.items():
        if name not in known:
            raise SettingsError(f"unknown setting {name!r} ({source}){_hint(name, list(known))}")
        inner = known[name].default
        if isinstance(inner, BaseModel) and isinstance(value, Mapping):
            names = list(type(inner).model_fields)
            for part in value:
                if part not in names:
                    raise SettingsError(f"unknown setting '{name}.{part}' ({source}){_hint(part, names)}")


def _hint(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"


def _read_file(config: str | os.PathLike[str] | None) -> tuple[str, dict[str, Any]]:
    path = Path(CONFIG_FILE if config is None else config)
    if config is None and not path.is_file():
        return str(path), {}
    try:
        table = tomllib.loads(path.read_bytes().decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{path} is not TOML: {fault}") from None
    except OSError as fault:
        raise SettingsError(f"the settings file {path} cannot be read: {fault.strerror}") from None
    refuse_unknown(table, f"file {path}")
    return str(path), table


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, _ in leaves():
        for variable in variables(name):
            if environ.get(variable):
                yield name, variable, environ[variable]
                break


def _nested(name: str, value: str) -> dict[str, Any]:
    outer, _, inner = name.partition(".")
    return {outer: {inner: value}} if inner else {outer: value}


def _overlay(values: dict[str, Any], sources: dict[str, str], table: Mapping[str, Any], source: str) -> None:
    for name, value in table.items():
        below = values.get(name)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            values[name] = {**below, **value}
        else:
            values[name] = value
    sources.update(dict.fromkeys(_leaf_names(table), source))


def _leaf_names(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{inner}" for inner in value)
        elif isinstance(value, BaseModel):
            yield from (f"{name}.{inner}" for inner in value.model_fields_set)
        else:
            yield name


def _validated(values: Mapping[str, Any], sources: dict[str, str]) -> Settings:
    try:
        settings = Settings(**values)
    except ValidationError as fault:
        raise SettingsError("; ".join(_faults(fault, sources))) from None
    settings._sources = sources  # noqa: SLF001 (this module's own class)
    return settings


def _faults(fault: ValidationError, sources: Mapping[str, str]) -> Iterator[str]:
    for error in fault.errors(include_input=False, include_context=False, include_url=False):
        name = ".".join(str(part) for part in error["loc"][:2])
        source = sources.get(name) or sources.get(name.split(".")[0], "argument")
        yield f"setting {name!r} ({source}): {in_words(error['msg'])}"
