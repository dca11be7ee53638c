"""The step that ends most failed runs of every theme: a trap, since it follows from the failure.

It stands at the end of an episode and goes with failure; no advice should be drawn from it.
"""

from __future__ import annotations

from graphmem.demo.theme import Action, Language

HAND_OVERS: dict[Language, tuple[str, Action]] = {
    "en": (
        "hand_over",
        Action(
            tools=("ticket_desk",),
            why=("I cannot finish this; a person should take over.", "Better in human hands."),
            good=("Handed over with a note.", "The desk took the case."),
        ),
    ),
    "ko": (
        "상담원 연결",
        Action(
            tools=("상담데스크",),
            why=("더 진행하기 어려우니 담당자에게 넘긴다.", "사람이 직접 살펴보는 편이 낫다."),
            good=("담당 상담원에게 연결했다.", "지금까지의 내용을 적어 넘겼다."),
        ),
    ),
}
"""Language to the action's name and words."""
