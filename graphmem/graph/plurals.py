"""The singular of an English noun by rule, for keys; no dictionary, no sentence.

A wrong singular does little harm as long as every form of a word gets the same one: it is never shown.
Where an analyzer knows the lemma in its sentence, give that to the key instead.
"""

from __future__ import annotations

from functools import lru_cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IRREGULAR = dict(
    pair.split(":")
    for pair in _words(
        "men:man women:woman children:child people:person mice:mouse lice:louse feet:foot teeth:tooth "
        "geese:goose oxen:ox indices:index matrices:matrix vertices:vertex appendices:appendix "
        "vortices:vortex codices:codex criteria:criterion phenomena:phenomenon bacteria:bacterium "
        "curricula:curriculum alumni:alumnus stimuli:stimulus nuclei:nucleus fungi:fungus cacti:cactus "
        "radii:radius larvae:larva algae:alga formulae:formula knives:knife lives:life wives:wife "
        "wolves:wolf halves:half shelves:shelf selves:self thieves:thief calves:calf loaves:loaf "
        "elves:elf scarves:scarf hooves:hoof leaves:leaf buses:bus gases:gas biases:bias canvases:canvas "
        "atlases:atlas aliases:alias lenses:lens yeses:yes viruses:virus statuses:status bonuses:bonus "
        "campuses:campus focuses:focus censuses:census choruses:chorus circuses:circus geniuses:genius "
        "surpluses:surplus syllabuses:syllabus apparatuses:apparatus consensuses:consensus nexuses:nexus "
        "prospectuses:prospectus pluses:plus minuses:minus walruses:walrus cactuses:cactus sinuses:sinus "
        "fetuses:fetus octopuses:octopus christmases:christmas pancreases:pancreas irises:iris "
        "trellises:trellis metropolises:metropolis analyses:analysis theses:thesis hypotheses:hypothesis "
        "syntheses:synthesis parentheses:parenthesis crises:crisis diagnoses:diagnosis emphases:emphasis "
        "neuroses:neurosis oases:oasis axes:axis quizzes:quiz posses:posse ids:id vms:vm prs:pr dbs:db "
        "pcs:pc tvs:tv cds:cd uis:ui"
    )
)

_UNCHANGED = _words(
    # one form, no plural, or never a noun
    "afterwards alas alms alps always amends barracks belongings besides bias billiards binoculars "
    "canvas atlas christmas clothes corps crossroads diabetes dominoes dregs earnings forceps gallows "
    "glasses goods headquarters herpes innings jeans lens means measles mumps news nowadays outskirts "
    "overseas pajamas pancreas pants perhaps pliers pyjamas quadriceps rabies savings scabies "
    "scissors series shambles sometimes species subspecies suds sunglasses surroundings thanks tongs "
    "trousers tweezers whereabouts "
    # systems and terms
    "aiops aires cors dbaas devops expressjs faas finops ftps gitops https iaas imaps jenkins keras "
    "kubernetes ldaps mlops nextjs nodejs paas pandas postgres reactjs saas smtps sysops vuejs "
    "windows "
    # places and people, typed without capitals as well
    "andes andreas angeles arkansas athens bahamas brussels cannes charles collins dallas douglas "
    "emirates himalayas honduras hughes james jonas jones kansas lucas maldives mars marseilles "
    "massachusetts moses naples netherlands nicholas philippines pyrenees seychelles texas thomas "
    "vegas wales williams"
)

_IN_S = {
    "is": _words(
        "alibis apis bikinis clis corgis emojis guis israelis khakis kiwis kpis maxis minis nazis pois "
        "rabbis safaris salamis semis skis taxis tsunamis wikis yetis zucchinis"
    ),
    "us": _words("bureaus cpus emus gnus gpus gurus haikus menus milieus npus plateaus skus tpus"),
    "os": _words(
        "altos archipelagos armadillos audios autos avocados bamboos bingos bistros buffalos burritos "
        "cameos cargos casinos cellos cockatoos combos concertos condos cuckoos demos dingos discos duos "
        "dynamos echos egos embryos espressos euros fiascos flamingos folios ghettos halos heros igloos "
        "infernos intros jumbos kangaroos kilos kimonos logos macros maestros mangos manifestos memos "
        "metros micros mosquitos mottos nachos outros patios pesos photos pianos ponchos portfolios "
        "promos pros radios ratios repos rodeos scenarios shampoos silos solos sopranos stereos stilettos "
        "studios taboos tacos tangos tattoos todos tornados torsos trios turbos tuxedos twos typos videos "
        "virtuosos volcanos zeros zoos"
    ),
    "cs": _words(
        "academics alcoholics antibiotics antics arctics attics basics ceramics characteristics classics "
        "clinics comics cosmetics critics cynics diagnostics dialectics domestics eccentrics epics "
        "epidemics fabrics fanatics generics heuristics italics logics lyrics mechanics medics metrics "
        "mosaics mystics narcotics organics panics picnics plastics relics romantics rubrics skeptics "
        "statistics synthetics tactics topics tunics docs specs pics discs arcs syncs procs funcs macs"
    ),
    "ss": frozenset(),
}
"""Endings that are mostly no plural, with those words in which the s is one."""

_SILENT_E = _words(
    "aches aloes avalanches birdies bogies boogies bookies brownies budgies caches calories canoes "
    "collies cookies coteries cowries creches cuties dies floes foes freebies genies groupies "
    "headaches heartaches hippies hoes hoodies horseshoes indies junkies lies lingeries magpies "
    "menageries microfiches moustaches movies mustaches neckties newbies niches oboes pastiches pies "
    "pixies prairies psyches quiches reveries rookies selfies shoes smoothies sorties stomachaches "
    "techies throes ties tiptoes toes toothaches veggies woes zombies"
)
"""Plurals in -ies, -ches and -oes that lose nothing but the s."""

_NOT_MEN = _words("specimen regimen abdomen acumen bitumen")


@lru_cache(maxsize=1 << 13)
def singular(word: str) -> str:
    """The singular of a lower-case word; the word itself when it is no plural or not known to be one.

    Only words of ASCII letters change: identifiers, numbers and other scripts never do. The answer is
    its own singular.
    """
    if not (word.isascii() and word.isalpha()):
        return word
    while (shorter := _shortened(word)) != word:
        word = shorter
    return word


def _shortened(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("men") and len(word) > 5 and word not in _NOT_MEN:
        return word[:-2] + "an"
    if not _is_plural(word):
        return word
    if word in _SILENT_E:
        return word[:-1]
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else word[:-1]


def _is_plural(word: str) -> bool:
    if len(word) < 4 or not word.endswith("s") or word in _UNCHANGED:
        return False
    known = _IN_S.get(word[-2:])
    return known is None or word in known
