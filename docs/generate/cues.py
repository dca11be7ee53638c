"""The page of cues, out of the tables under graphmem/language/data and the fields of their models."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from docs.generate.markdown import code, heading, table
from graphmem.language.cues import ClosingCue, Cue, CueTable, Guards, default_cues

_NAMES = {"en": "English", "ko": "Korean"}

_INTRO = """\
A conversation becomes episodes by the words that close one or begin the next, and by gaps in time.
`graphmem.episodes.boundaries.detect_boundary` decides it for one message, `graphmem boundary -` for many:

```console
$ graphmem boundary - < messages.jsonl
```

Each line is a message, `{"text": "...", "at": "2026-03-01T09:00:00Z", "role": "user"}`; each answer is
`{"decision": "start" | "continue" | "end" | "end+start", "cue": ..., "why": ...}`.

## How it is decided

The first rule that applies decides.

1. The first message of a conversation starts an episode.
2. A message without words continues.
3. After an end the next message starts.
4. A closing cue ends. With a new-topic cue in the same message it is `end+start`:
   the running episode ends, and the next begins with this message.
5. A new-topic cue starts.
6. More than 30 minutes (`boundary.gap_minutes`) since the message before start an episode.
   The messages' own times are compared as instants: the clock of the machine and time zones do not matter,
   and a time that is equal or earlier is no gap.
7. Otherwise the message continues.

Cues count in messages of the role `user` only, gaps in all.
Cues are whole words, whatever their case or width. No cue counts inside quotation marks, a quoted line (`>`)
or code. All languages are read at once, since people mix them.

A closing cue does not count

* when it is negated, wished for or still to come: "not done yet", "완료되지 않았습니다", "once it is fixed";
* when its sentence asks: "is it fixed?", "해결됐습니까?";
* when it is contrasted: "thanks, but it still fails", "감사합니다만 여전히 안 됩니다".
  "감사합니다 그런데 하나 더" continues as well: the same conversation goes on;
* when it only thanks, understands or agrees, and the same message asks or orders something:
  "could you rename the file? Thanks!", "좋습니다, 진행해 주세요". The conversation goes on with that request.

What stands before and what stands behind a new-topic cue are judged apart,
so "thanks, but another question: how ...?" is `end+start`.
A new-topic cue counts in a question and before a contrast, but not when it is denied ("no other topic").
"By the way" must open its clause or stand between commas, where it is no aside within a sentence
("the weather, by the way, is nice").

What a closing cue means is kept: `success` says that what was wanted was reached,
`thanks`, `understood` and `enough` do not.

## Add cues or a language

A few words: the settings `boundary.closing_cues` and `boundary.new_topic_cues`.
A table: a TOML file named after its language.

```toml
fillers = ["ok", "also"]

[[closing]]
meaning = "thanks"
words = ["danke", "vielen dank"]

[[new_topic]]
words = ["andere frage"]

[guards]
negation = ["nicht", "nie"]
contrast = ["aber"]
```

`graphmem boundary - --cues de.toml` reads it, and in Python
`detect_boundary(message, previous, cues=load_cues(["de.toml"]))`
with `load_cues` of `graphmem.language.cues`. A table for a language that is there adds to it.
"""


def page() -> str:
    """The whole page."""
    parts = [heading("Cues of conversations", "graphmem/language", _INTRO), _form()]
    for language, tables in default_cues().tables.items():
        parts += [f"## {_NAMES.get(language, language)}\n", *(part for one in tables for part in _tables(one))]
    return "\n".join(parts)


def _form() -> str:
    parts = ["## The form of a table\n"]
    for title, model in (("Table", CueTable), ("Cue", ClosingCue), ("Guards", Guards)):
        rows = [[code(name), field.description or ""] for name, field in model.model_fields.items()]
        parts.append(f"### {title}\n\n{table(['field', 'meaning'], rows)}")
    return "\n".join(parts)


def _tables(cues: CueTable) -> Iterator[str]:
    closing = [[one.meaning, _written(cues, one), _conditions(one)] for one in cues.closing]
    yield f"### Closing\n\n{table(['meaning', 'cues', 'conditions'], closing)}"
    topics = [[_written(cues, one), _conditions(one)] for one in cues.new_topic]
    yield f"### New topic\n\n{table(['cues', 'conditions'], topics)}"
    yield f"### Words around cues\n\n{table(['list', 'words'], _lists(cues))}"


def _written(cues: CueTable, cue: Cue) -> str:
    """Words as they are, and stems with their endings; the variants with a blank are left out."""
    endings = [ending for name in cue.endings for ending in cues.endings[name]]
    return " · ".join((*cue.words, *(f"{stem}{ending}" for stem in cue.stems for ending in endings)))


def _conditions(cue: Cue) -> str:
    lists = [(name, getattr(cue, name)) for name in ("followed_by", "not_after", "not_before", "not_within")]
    place = [] if cue.place == "anywhere" else [f"place: {cue.place}"]
    return "; ".join(
        [*place, *(f"{name.replace('_', ' ')}: {', '.join(words)}" for name, words in lists if words)]
    )


def _lists(cues: CueTable) -> Iterator[list[str]]:
    models: tuple[BaseModel, ...] = (cues, cues.guards)
    for model in models:
        for name in type(model).model_fields:
            words = getattr(model, name)
            if words and isinstance(words, tuple) and isinstance(words[0], str):
                yield [code(name), ", ".join(words)]
