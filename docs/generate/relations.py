"""The page of the rules for relations, out of the rules of all languages."""

from __future__ import annotations

from docs.generate.markdown import code, heading, table
from graphmem.language.relations.registry import relation_rules
from graphmem.language.relations.rules import Form, RelationRule

_LANGUAGES = {"en": "English", "ko": "Korean"}
_FORMS: dict[Form, str] = {
    "parse": "over a dependency parse, where spaCy is installed (`pip install 'graphmem[spacy]'`)",
    "morphemes": "over morphemes, where kiwi is installed (`pip install 'graphmem[kiwi]'`)",
    "surface": "over the sentence as written, where it is not parsed",
}

_INTRO = """\
Without a language model, relations are found in a text by the rules below: `graphmem extract TEXT`,
or `Extractor` of `graphmem.language.relations.extractor`.
What they find and what they leave, with measured figures: [Extraction](../explanation/extraction.md).

The prior is the precision of a rule, and the confidence of what it finds.
*Measured* says where it comes from: right of found and the corpus, or *by judgement* where nothing was counted.
A rule for *prose* is off in chat.
"""


def page() -> str:
    """The whole page."""
    rules = relation_rules()
    sections = dict.fromkeys((rule.language, rule.form) for rule in rules)
    parts = [heading("Rules for relations", "the rules in graphmem/language/relations", _INTRO), _relations(rules)]
    for language, form in sections:
        own = [rule for rule in rules if (rule.language, rule.form) == (language, form)]
        parts.append(_section(f"{_LANGUAGES[language]}, {form}", f"Rules {_FORMS[form]}.", own))
    return "\n".join(parts)


def _relations(rules: tuple[RelationRule, ...]) -> str:
    names = sorted({rule.relation.value for rule in rules})
    rows = [
        [
            code(name),
            *(
                str(sum(rule.relation.value == name and rule.language == one for rule in rules))
                for one in _LANGUAGES
            ),
        ]
        for name in names
    ]
    columns = ["relation", *(f"{language} rules" for language in _LANGUAGES.values())]
    return f"## Relations\n\n{table(columns, rows)}"


def _section(title: str, intro: str, rules: list[RelationRule]) -> str:
    rows = [
        [
            code(rule.name),
            code(rule.relation.value),
            f"{rule.prior:.2f}",
            rule.measured,
            "prose" if rule.prose_only else "",
            rule.example,
        ]
        for rule in rules
    ]
    return f"## {title}\n\n{intro}\n\n{table(['rule', 'relation', 'prior', 'measured', '', 'example'], rows)}"
