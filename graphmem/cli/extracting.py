"""`graphmem extract`: the concepts and relations that a text states. Opens no store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit, say
from graphmem.cli.lines import answer_lines
from graphmem.cli.opening import settings_of
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines
from graphmem.errors import SettingsError

if TYPE_CHECKING:
    from graphmem.language.extraction import ConceptMention, ExtractedRelation, Extraction, Genre
    from graphmem.language.relations.extractor import Extractor
    from graphmem.prompts.extract_relations import ModelExtractor


@click.command(cls=WithGlobalOptions)
@click.argument("text")
@click.option("--chat", is_flag=True, help="The text is talk: rules that hold in prose alone are off.")
@click.option("--model", is_flag=True, help="Ask the language model of the settings instead of the rules.")
@click.pass_obj
def extract(invocation: Invocation, /, text: str, *, chat: bool, model: bool) -> Exit | None:
    """Show the concepts and relations that TEXT states, and what it does not assert. Stores nothing.

    English is parsed by spaCy and Korean by kiwi where they are installed (setting `analyzer`); else the
    few rules that need no grammar apply.

    With - instead of TEXT every line of stdin is a text, or a JSON object with text and, if need be, chat;
    each is answered with one line of JSON.
    """
    extractor = _by_model(invocation) if model else _by_rules(invocation)
    if text == "-":
        return answer_lines(
            lambda line, own: _as_json(extractor.extract(line, _genre(own.get("chat", chat)))),
            fields={"chat": _yes_or_no},
        )
    found = extractor.extract(text, _genre(chat))
    if invocation.json:
        write_json(_as_json(found))
    elif found.concepts or found.rejected:
        write_lines(_shown(found))
    else:
        say(invocation, "Nothing found in the text.")
    return None


def _by_rules(invocation: Invocation) -> Extractor:
    from graphmem.adapters import make_analyzer  # noqa: PLC0415 (loads pydantic)
    from graphmem.language.relations.extractor import Extractor  # noqa: PLC0415 (loads the rules)

    return Extractor(make_analyzer(settings_of(invocation)))


def _by_model(invocation: Invocation) -> ModelExtractor:
    from graphmem.adapters import make_language_model  # noqa: PLC0415 (loads pydantic)
    from graphmem.prompts.extract_relations import ModelExtractor  # noqa: PLC0415 (loads pydantic)

    model = make_language_model(settings_of(invocation))
    if model is None:
        raise SettingsError(
            "--model needs a language model: name one with the setting language_model, such as"
            " GRAPHMEM_LANGUAGE_MODEL=openai:gpt-4o-mini"
        )
    return ModelExtractor(model)


def _genre(chat: bool) -> Genre:
    return "chat" if chat else "prose"


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("give true or false")  # noqa: TRY004 (what every reading raises)
    return value


def _as_json(found: Extraction) -> dict[str, Any]:
    return {
        "concepts": [_concept(one) for one in found.concepts],
        "relations": [_relation(one) for one in found.relations],
        "rejected": [{**_relation(one.relation), "reason": one.reason} for one in found.rejected],
    }


def _concept(concept: ConceptMention) -> Mapping[str, Any]:
    named = {"name": concept.name, "key": concept.key, "kind": concept.kind}
    return {**named, "aliases": list(concept.aliases)} if concept.aliases else named


def _relation(relation: ExtractedRelation) -> dict[str, Any]:
    return {
        "head": relation.head.name,
        "relation": relation.relation.value,
        "tail": relation.tail.name,
        "confidence": round(relation.confidence, 6),
        "rule": relation.rule,
    }


def _shown(found: Extraction) -> Iterator[str]:
    if found.concepts:
        yield "concepts"
        yield from (f"  {_named(one)}" for one in found.concepts)
    if found.relations:
        yield "relations"
        yield from (f"  {_stated(one)}  ({one.confidence:.2f}, {one.rule})" for one in found.relations)
    if found.rejected:
        yield "rejected"
        yield from (f"  {_stated(one.relation)}: {one.reason}  ({one.relation.rule})" for one in found.rejected)


def _named(concept: ConceptMention) -> str:
    kind = "" if concept.kind == "concept" else f"  [{concept.kind}]"
    return f"{concept.name}{kind}{''.join(f' = {alias}' for alias in concept.aliases)}"


def _stated(relation: ExtractedRelation) -> str:
    return f"{relation.head.name} --{relation.relation.value}--> {relation.tail.name}"
