"""Nouns for what comes about: felt, suffered, given off, or going on; by lists, and by endings that are sure."""

from __future__ import annotations

from graphmem.language.relations.english.word_sets import words

FEELINGS = words(
    "admiration affection agitation agony alarm amazement amusement anger anguish annoyance anxiety apathy "
    "apprehension astonishment awe bewilderment bitterness boredom calm cheer comfort compassion concern "
    "confidence confusion consternation contempt contentment courage delight depression desire despair "
    "desperation disappointment disbelief discomfort discontent disgust disillusionment dismay displeasure "
    "disquiet dissatisfaction distress distrust doubt dread ecstasy elation embarrassment empathy enjoyment "
    "enthusiasm envy euphoria exasperation excitement fear frenzy fright frustration fulfillment fulfilment fun "
    "fury gladness glee gloom gratification gratitude grief guilt happiness hatred heartache heartbreak "
    "helplessness hope hopelessness horror hostility humiliation hurt hysteria ill-feeling indignation "
    "insecurity irritation jealousy jolliness joy laughter loathing loneliness longing love melancholy merriment "
    "misery mistrust mood motivation nervousness nostalgia ordeal outrage panic passion pity pleasure pride "
    "puzzlement rage rapture regret relief remorse resentment sadness satisfaction scare self-confidence self- "
    "esteem sensation serenity shame shock sorrow stress suffering surprise suspicion sympathy tension terror "
    "thrill torment trauma trepidation trouble uncertainty unease unhappiness upset worry wrath"
)
"""Nouns for what somebody feels."""

AILMENTS = words(
    "abscess ache aches aching acne addiction allergy amnesia anaemia anaphylaxis anemia asphyxia asphyxiation "
    "asthma backache baldness bleeding blindness blister bloating blurring breakout bruise bruising burn cancer "
    "cataract chill choking cold colic coma concussion congestion constipation contusion convulsion cough "
    "coughing cramp cramps cut deafness death deficiency deformity dehydration delirium dementia dermatitis "
    "diabetes diarrhea diarrhoea disability discoloration discolouration discomfort disease disfigurement "
    "disorder disorientation dizziness drowsiness dryness dysfunction earache eczema edema embolism epilepsy "
    "exhaustion fainting fatality fatigue fever flare-up flu fracture frostbite gangrene gash goosebumps "
    "haemorrhage hallucination handicap hangover headache heartburn hemorrhage hiccup hiccups hives hunger "
    "hypertension hypothermia illness impairment impotence incontinence indigestion infection infertility "
    "inflammation injury insomnia intoxication irritability itch itchiness itching jaundice lesion leukemia "
    "malaise malaria malformation malnutrition migraine miscarriage morbidity mortality nausea nightmare "
    "nosebleed numbness obesity overdose pain palpitation paralysis pimple pneumonia poisoning rash recurrence "
    "redness retardation ringing scab scar scarring seizure sepsis sickness sleepiness sneezing sore soreness "
    "spasm sprain starvation stiffness stillbirth strain stroke stutter suffocation suicide sunburn swelling "
    "symptom syndrome tachycardia thirst tic tingling tiredness toothache tremor tumor tumour twitch ulcer "
    "unconsciousness vertigo vomiting wart weakness weariness wheezing withdrawal wound wrinkle"
)
"""Nouns for what befalls a body."""

HARM = words(
    "abandonment accident anarchy annihilation avalanche backlash bankruptcy blackout blaze blockage bloodshed "
    "bottleneck breakage breakdown calamity carnage casualty catastrophe chaos clash collapse collision "
    "commotion complaint complication conflict congruence contamination controversy corrosion crack cracking "
    "crash crisis damage deadlock debate debt decay decline defeat defect deficit deforestation deformation "
    "degradation delay deprivation destabilization destruction deterioration devastation dilemma disagreement "
    "disappearance disaster discord dispute disruption distortion disturbance divorce downtime downturn drain "
    "drought dysfunction earthquake emergency epidemic erosion eruption evacuation exodus explosion extinction "
    "failure fallout famine feud fight fire flame flood flooding friction furor furore glitch grievance hardship "
    "harm havoc imbalance impasse inconvenience inefficiency inequality inferno inflation injustice instability "
    "interference interruption kerfuffle killing landslide lawsuit layoff leak leakage litigation loss "
    "malfunction massacre mayhem mess misconception mishap misunderstanding mutation opposition oscillation "
    "outage outbreak outcry outrage overflow overload pandemic pollution poverty pressure problem protest quake "
    "quarrel ramification rebellion recession repercussion resistance revolt riot rot ruin rupture rust scandal "
    "setback shortage shortfall shrinkage shutdown slowdown slump spill stagnation stain stampede stench stir "
    "strife strike tragedy tsunami turbulence turmoil unemployment unrest upheaval uprising uproar violence "
    "warping waste wear wreck wreckage"
)
"""Nouns for what goes wrong with things and among people."""

SHIFTS = words(
    "acceleration boom change contraction cooling decrease depletion dilatation dilation drop enlargement "
    "expansion fall fluctuation gain growth improvement increase influx inhibition overpopulation reduction "
    "relaxation rise shift slide spike surge swell variation weight-gain worsening"
)
"""Nouns for something becoming more, less or other."""

GAINS = words(
    "benefit boost commission dividend earnings income proceeds profit progress revenue royalties royalty "
    "savings windfall"
)
"""Nouns for what is gained: what stands behind `from` brings it in."""

LEAVING = words(
    "disappearance dismissal divorce evacuation exodus expulsion extinction isolation removal separation "
    "withdrawal"
)
"""Nouns whose `from` tells where something was."""

PHENOMENA = words(
    "afterglow aroma aura beam buzz clatter current din echo electricity emission flare flash fragrance fume "
    "fumes glare gleam glimmer glow heat hum light mist noise odor odour oscillation pulse racket radiation "
    "rattle ray resonance ripple roar rumble scent shadow shockwave signal sizzle smell smog smoke sound spark "
    "spray squeak static steam stench swell thunder tide tone tremor tsunami turbulence vapor vapour vibration "
    "vortex warmth wave"
)
"""Nouns for what is seen, heard, smelt or felt of something that goes on: what gives it off brought it about."""

EFFECTS = FEELINGS | AILMENTS | HARM
"""Nouns for what befalls or is felt: what stands behind `from` brought it about."""

_AILING = (
    "algia",
    "ectasis",
    "emia",
    "aemia",
    "iasis",
    "itis",
    "osis",
    "pathy",
    "plegia",
    "rrhage",
    "rrhea",
    "rrhoea",
)
"""Endings of nouns for what ails a body."""

_HEALTHY = words(
    "apathy diagnosis empathy hypnosis metamorphosis osmosis photosynthesis prognosis symbiosis sympathy"
)
_STATE = "ness"
_NO_STATE = words(
    "baroness business eyewitness fitness governess harness highness likeness lioness wilderness witness"
)

_HAPPENINGS = words(
    "abuse affair argument arrival assassination assault attack battle betrayal birth blast bomb bombing breakup "
    "burial ceasefire childbirth competition concert conquest cough coup deluge demise departure dismissal "
    "disuse divorce downpour drill drug exercise fall fight flight funeral gig hurricane impact incident "
    "interview invasion journey kiss labor labour lightning marriage match meal misuse murder neglect overuse "
    "performance practice pregnancy quake race rain rainfall rape refusal rehearsal relapse removal resignation "
    "reversal riot robbery sale scandal sex shower sleep snow snowstorm speech storm surgery therapy "
    "thunderstorm tornado treatment trial trip typhoon use vaccine victory visit volcano war wedding wildfire "
    "win workout wreck"
)
_GOING_ON = ("tion", "sion", "ment", "sis", "ture", "ing")
"""Endings of nouns for what goes on."""

_STANDING = words(
    "administration adventure apartment architecture army association being building ceiling clothing commission "
    "corporation costume creature culture delegation department document element equipment establishment evening "
    "feature federation fixture foundation furniture future garment generation government institution instrument "
    "king lecture literature location management mission moment monument morning nation nature ocean "
    "organisation organization painting parliament picture population position question ring sculpture section "
    "situation spring statement station string structure television thing treatise union version wing"
)
"""Nouns with these endings that stand for things, people or times."""

_PERSONS = words(
    "actor adult agent author baby boss boy brother caller candidate captain celebrity chief child citizen "
    "client coach colleague consumer critic customer daughter doctor driver employee employer expert family fan "
    "father foe folk friend girl guest guy husband judge kid lady lawyer leader listener manager member minister "
    "mother mp neighbor neighbour officer official opponent owner parent partner patient peer people person "
    "player politician president priest professor protester reader relative reporter resident rival senator "
    "sister soldier son speaker staff stranger student teacher teen teenager user victim visitor voter wife "
    "worker writer"
)
_PERSONAL = ("man", "woman", "men", "ist", "crat", "ian")


def is_person(lemma: str) -> bool:
    """Whether a noun stands for a person."""
    return lemma in _PERSONS or lemma.endswith(_PERSONAL)


def is_effect(lemma: str) -> bool:
    """Whether a noun stands for what befalls or is felt."""
    if lemma in EFFECTS:
        return True
    if lemma.endswith(_STATE):
        return len(lemma) > len(_STATE) + 2 and lemma not in _NO_STATE
    return lemma.endswith(_AILING) and lemma not in _HEALTHY


def is_outcome(lemma: str) -> bool:
    """Whether a noun stands for what befalls, is felt, is given off or gained."""
    return is_effect(lemma) or lemma in PHENOMENA or lemma in GAINS


def is_happening(lemma: str) -> bool:
    """Whether a noun stands for what goes on: an event, an action, what befalls."""
    if lemma in _HAPPENINGS or lemma in SHIFTS or is_effect(lemma):
        return True
    return lemma.endswith(_GOING_ON) and lemma not in _STANDING
