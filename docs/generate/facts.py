"""The page of the rules for facts, out of graphmem/language/data/facts.*.toml and the fields of a rule."""

from __future__ import annotations

from docs.generate.markdown import code, heading, table
from graphmem.language.fact_rules import LANGUAGES, FactRule, RuleLanguage, fact_rules

_NAMES: dict[RuleLanguage, str] = {"en": "English", "ko": "Korean"}

_INTRO = """\
Without a language model, facts are found in what was said by the rules below:
`find_facts(text, speaker=..., said_at=...)` of `graphmem.language.facts`.
What they find and what they leave, with measured figures: [Facts by rules](../explanation/facts.md).

The prior is the precision expected of a rule, set by judgement and not measured rule by rule;
it is the confidence of the facts it finds, times 0.85 where a Korean sentence leaves out its subject.
A time in the same clause dates a fact as the column says: *since*, only one that lasts ("since 2020", 2020년부터)
says from when a state holds; *start*, an event began it then; *end*, an event ended it then.
An *ended* fact holds no longer.
"""


def page() -> str:
    """The whole page."""
    parts = [heading("Rules for facts", "graphmem/language/data/facts.*.toml", _INTRO), _predicates()]
    parts += [_section(language) for language in LANGUAGES]
    fields = [[code(name), field.description or ""] for name, field in FactRule.model_fields.items()]
    parts.append(f"## The form of a rule\n\n{table(['field', 'meaning'], fields)}")
    return "\n".join(parts)


def _predicates() -> str:
    rules = [one.rule for language in LANGUAGES for one in fact_rules(language).rules]
    names = sorted({rule.predicate for rule in rules})
    rows = [[code(name), *(str(_count(name, language)) for language in LANGUAGES)] for name in names]
    return f"## Predicates\n\n{table(['predicate', *(f'{_NAMES[one]} rules' for one in LANGUAGES)], rows)}"


def _count(predicate: str, language: RuleLanguage) -> int:
    return sum(one.rule.predicate == predicate for one in fact_rules(language).rules)


def _section(language: RuleLanguage) -> str:
    rows = [
        [
            code(rule.name),
            code(rule.predicate),
            f"{rule.prior:.2f}",
            rule.timing,
            "ended" if rule.ended else "",
            rule.example,
        ]
        for rule in (one.rule for one in fact_rules(language).rules)
    ]
    return f"## {_NAMES[language]}\n\n{table(['rule', 'predicate', 'prior', 'time', '', 'example'], rows)}"
