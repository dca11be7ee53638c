"""Nouns that say by themselves that they are parts, wholes of members, or sorts."""

from __future__ import annotations

from graphmem.language.relations.english.word_sets import words

TIMES = words(
    "afternoon autumn beginning century childhood dawn day decade dusk end evening fall hour minute moment month "
    "morning night past preseason season spring start summer time today tomorrow week weekend winter year "
    "yesterday youth"
)
"""Nouns for times: from there on things last, nothing comes about by them."""

BODY = words(
    "ankle arm artery back belly body bone breast buttock chest ear elbow eye face finger foot hand head heart "
    "hip joint kidney knee leg limb liver lung mouth muscle neck nose shoulder skin spine stomach thigh throat "
    "toe tooth vein wrist"
)
"""Nouns for where something is felt, not for what brings it about."""

PLACES = words(
    "area bottom centre center corner country culture direction edge front inside left right region side top "
    "town city place world"
)
"""Nouns for where something starts, not for what brings it about."""

INCOMPLETE = words(
    "absence abuse accumulation addition amount breach build-up buildup change collapse concentration "
    "consumption decline decrease deficiency deterioration development drop exhaustion expansion exposure "
    "failure fall growth improvement inability increase influx introduction lack level loss misuse overuse "
    "presence rate reduction removal rise risk shortage spread surge surplus use want withdrawal"
)
"""Nouns that mean nothing without what stands behind `of`."""

PARTS = words(
    "part component piece element portion section segment constituent ingredient subset subsystem module"
)
"""Words for a part of anything."""

CONTENTS = words("content component part ingredient element feature member constituent")
"""Words for what is in something: their owner is the whole."""

SORTS = words(
    "kind type sort form species specie breed genus variety class example instance subtype subclass case"
)
"""Words for a sort of something: what stands behind `of` is the class."""

GROUPS = words(
    "army array board club cast lineup line-up organisation organization parliament senate chamber duo trio "
    "quartet assembly association audience band battalion batch bevy brood bunch bundle cabinet caravan chain "
    "choir clan class cluster clutch colony committee commission community company convoy council coven crew "
    "crowd delegation ensemble faculty family fleet flight flock gaggle galaxy gang group herd horde jury "
    "league legion litter mob orchestra pack panel party platoon pod posse pride regiment school squad "
    "squadron staff stack swarm syndicate team tribe troop troupe union constellation bouquet archipelago "
    "forest grove collection host brigade cartel cohort congregation federation coalition alliance"
)
"""Nouns for a group whose members stand behind `of` in the plural."""

BODIES = words(
    "government state department municipality company church school ministry household office nation country "
    "agency university"
)
"""Wholes whose head, arm or seat is no part of a thing."""

PART_NOUNS = words(
    "arm back base basement blade body bone bonnet bottom bow branch brim bumper button cabin cap ceiling cell "
    "chapter chassis corner core corridor cover crust cuff deck dial dome door doorway drawer edge engine "
    "entrance eye facade fin flap floor foot foyer frame front gate hallway handle head heart heel hood hull "
    "interior keel key keyboard knob layer leaf leg lens lid lobby lock lounge margin mast membrane motor "
    "mouth muzzle neck nose nozzle nucleus outskirts pedal petal pillar pipe pocket porch propeller rear rib "
    "rim roof room root rudder screen seat shaft shell side skin sleeve sole spine spout stem stern string "
    "suburb surface switch tail tip toe tooth top trunk tyre valve veranda wall wheel window wing zipper "
    "kitchen bathroom bedroom"
)
"""Nouns that mostly stand for a part of what is behind `of`."""

NAMED_KINDS = words(
    "airline airport album band bank book brand brewery city college comedian comune company district ep episode "
    "film game hamlet hotel label magazine manufacturer memoir miniseries movie municipality musical newspaper "
    "novel opera play publisher restaurant school series single sitcom software song station studio suburb town "
    "township university village website"
)
"""Classes whose members bear names of their own."""

VAGUE = words(
    "exception interpretation accomplishment contribution credit subject topic aspect addition area field "
    "element activity choice option detail purpose type award honor honour achievement effort measure "
    "condition characteristic quality right name term word label sale gallery precursor part highlight cause "
    "advantage benefit feature form concern interest focus role position title priority need theme thing way "
    "one reason place lot time example member result matter problem issue question idea fact point bit fan "
    "shame pleasure joy pity must try step start end day year moment experience success failure favorite "
    "favourite friend blast treat hit surprise blessing help change difference challenge mistake deal reminder "
    "must-see must- have chance opportunity sign source effect factor consequence item stuff kind inspiration"
)
"""Nouns that put nothing into a class."""
