"""The calls, scenes and words that clients (coding) and collection (data) share. Both hide `retry-loop`."""

from __future__ import annotations

from graphmem.demo.theme import Action, Move, Scene

CALL_API = Action(
    tools=("http",),
    why=("Ask {service} for the next page.", "Try the call to {service} again.", "It may go through this time."),
    good=("200, {count} rows.", "An answer after {millis} ms."),
    bad=("429 from {service}.", "Refused: too many calls in this minute.", "429 again."),
    arguments={"method": ("GET", "POST"), "verbose": (True, False)},
)
BACK_OFF = Action(
    tools=("scheduler",),
    why=("Wait for the window to open again.", "The answer names a time to wait."),
    good=("Waited {small} seconds.", "Next call moved to the next minute."),
    bad=("The wait was too short.",),
)
READ_DOCS = Action(
    tools=("browser",),
    why=("What is the limit of {service}?", "Look the parameters up."),
    good=("The limit is {count} calls a minute.", "The page names a bulk call."),
    bad=("The page describes another version.",),
)
REFUSED = Move("call_api", errors=("RateLimited",), effective=False)

RETRY_LOOPS = (
    Scene((REFUSED, REFUSED, REFUSED), lessons=("Calling again at once only prolongs the block.",)),
    Scene((REFUSED, REFUSED, REFUSED, REFUSED), lessons=("Wait as long as the answer says.",)),
    Scene((Move("read_docs"), REFUSED, REFUSED, REFUSED)),
)
PATIENT_CALLS = (
    Scene((REFUSED, Move("back_off", fixes=("RateLimited",)), Move("call_api"))),
    Scene((Move("call_api"), REFUSED, Move("back_off"), Move("call_api"))),
    Scene((Move("read_docs"), Move("call_api"), Move("back_off"), REFUSED)),
)

API_SLOTS = {
    "service": ("the price service", "the map service", "the mail service", "the partner API"),
    "count": ("100", "250", "600"),
    "millis": ("1##", "3##"),
    "small": ("20", "30", "60"),
}
