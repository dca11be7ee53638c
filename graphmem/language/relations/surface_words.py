"""Closed classes of English words that end a noun phrase or begin one, for sentences that nobody parsed."""

from __future__ import annotations

import re

WORD = re.compile(r"""(?:[A-Za-z]\.){2,}|[\w#@$€£%/][\w#@/%+-]*(?:['.:&](?=[\w#])[\w#@/+-]+)*(?:\(\))?|\S""")
"""A word or a mark."""


def word_set(words: str) -> frozenset[str]:
    """The words of a text that lists them."""
    return frozenset(words.split())


DETERMINERS = word_set("a an the my our your his her its their some any each every all both another")
"""What a noun phrase begins with; it is no part of its name."""

PRONOUNS = word_set(
    "i you he she it we they me him us them this that these those who whom whose which what something anything"
    " nothing everything someone anyone everyone nobody one ones there here itself themselves mine ours yours"
)
"""Words that stand for something named elsewhere."""

SUBJECTS = word_set("i we you they he she it who")
"""Pronouns behind which a verb stands."""

FORMS_OF_BE = word_set("is are was were be been being am isn't aren't wasn't weren't")
_AUXILIARY = "may might can could will would shall should must do does did has have had cannot"
_CONTRACTED = "don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't mustn't"
AUXILIARIES = FORMS_OF_BE | word_set(f"{_AUXILIARY} {_CONTRACTED} not never")
"""What may stand between a subject and its verb, adverbs aside."""

ADVERBS = word_set(
    "also often usually mainly mostly typically commonly generally primarily largely directly partly probably"
    " possibly perhaps sometimes always frequently actually really apparently partially solely likely"
    " currently then now just only still already again even later soon yesterday today tomorrow however"
    " therefore thus too quickly slowly suddenly finally immediately never ever very quite rather almost maybe"
    " please"
)
"""Adverbs that may stand before a verb."""

LINKS = word_set("of in on for with between from at to within")
"""Prepositions that may tie a noun to the one before."""

PREPOSITIONS = LINKS | word_set(
    "by into onto over under after before during until through via about against without per like despite"
    " toward towards across among around behind beyond except"
)

QUANTIFIERS = word_set(
    "no several many most few more such much certain various other numerous multiple different own same"
)
"""Words before a noun that say how many, and are no part of its name."""

_JOINS = word_set(
    "and or but nor so yet if unless when whenever while because since although though whereas where why how"
    " whether than as according due not"
)
_VERBS = word_set(
    "say says said think thinks thought believe believes believed argues argued know knows knew see sees saw"
    " seen shown showed find finds found make makes made get gets got take takes took taken give gives gave"
    " given go goes went gone come comes came become becomes became keep keeps kept let lets leaves left needs"
    " want wants used using tell tells told asks seem seems seemed mean means meant happen happens occur"
    " occurs begin begins began include includes contain contains consist consists provide provides require"
    " requires remain remains exist exists allow allows broke broken wrote written sent ran led lead felt held"
    " lost met paid read sold spent stood won wear bring brings brought bought built choose chose drove fell"
    " grew grow grows hid hit hurt lives moved loves like likes prefer prefers enjoy enjoys hate hates talked"
    " feel feels try tries tried looked send sends speak speaks spoke eat eats ate sleep sleeps slept write"
    " writes receive receives"
)
MAYBE_VERBS = word_set(
    "cause causes result results use uses run runs start starts stop stops show shows need ask help helps"
    " claim claims return returns call calls fail fails crash crashes throw throws raise raises handle handles"
    " set sets test tests check checks work works change changes update updates load loads report reports"
    " leave break breaks affect affects increase increases reduce reduces drop drops block blocks hold holds"
    " open opens close closes reach reaches store stores restart restarts move moves talk talks look looks"
    " build builds buy love live"
)
"""Verbs that are nouns as well: verbs where a noun follows and no article stands before."""

STOPS = PRONOUNS | AUXILIARIES | ADVERBS | (PREPOSITIONS - LINKS) | _JOINS | _VERBS
"""Words that are no part of a noun phrase."""

EMPTY_NOUNS = word_set(
    "today yesterday tomorrow day days week weeks month months year years hour hours minute minutes second"
    " seconds time times way ways thing things lot lots bit kind sort type part morning evening night weekend"
    " today"
)
"""Nouns that name nothing by themselves."""

MEASURES = word_set("kinds types sorts forms kind type sort form variety range number lot set")
"""Nouns that only say how much or which of the noun behind `of`."""

NO_ADVERBS = word_set(
    "family supply assembly anomaly reply ally july italy butterfly fly jelly belly monopoly homily lily bully"
    " early daily weekly monthly yearly hourly elderly friendly likely unlikely deadly costly lonely lovely"
    " ugly only"
)
"""Words in -ly that are none."""

INTERJECTIONS = word_set(
    "hey hi hello wow whoa thanks thank congrats oh ah aw aww awww yeah yep yup yes no nope okay ok sure great"
    " cool nice awesome glad sorry bye haha lol huh hmm well good last next welcome"
)
"""What is said before a name without being part of it, and what names nothing by itself."""
