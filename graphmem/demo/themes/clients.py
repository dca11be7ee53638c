"""Coding: clients of other people's services. Hides `retry-loop`, beside data collection."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Task, Theme
from graphmem.demo.themes.api_calls import API_SLOTS, BACK_OFF, CALL_API, PATIENT_CALLS, READ_DOCS, RETRY_LOOPS

_ACTIONS = {
    "call_api": CALL_API,
    "back_off": BACK_OFF,
    "read_docs": READ_DOCS,
    "write_client": Action(
        tools=("editor",),
        why=("Put the call behind one function.", "Only the fields we use."),
        good=("Client written.", "The reply is parsed into one value."),
        bad=("The reply has another shape than expected.",),
    ),
    "log_request": Action(
        tools=("shell",),
        why=("Look at what goes over the wire.",),
        good=("The header was missing.", "Request and reply saved."),
        bad=("The log is empty.",),
    ),
    "run_tests": Action(
        tools=("shell",),
        why=("Check the client against its recorded replies.",),
        good=("All tests pass.",),
        bad=("Two tests fail.",),
        arguments={"parallel": (True, False)},
    ),
}

CLIENTS = Theme(
    key="client",
    domain="coding",
    language="en",
    size=20,
    cast=Cast("retry-loop", success=1, partial=0, failure=7),
    other_success=0.72,
    versioned=True,
    tasks=(
        Task(
            "client-prices",
            (("Write a client for the price service", "We need daily prices in the shop."),),
            slots={"service": "the price service"},
        ),
        Task(
            "client-maps",
            (("Show store locations on a map", "Please add the map to the contact page."),),
            slots={"service": "the map service"},
        ),
    ),
    one_offs=(
        ("Send the newsletter through {service}", "The old sender is shut down next month."),
        ("Sign requests to {service}", "They ask for signed requests from June on."),
    ),
    slots=API_SLOTS,
    actions=_ACTIONS,
    fillers=("write_client", "log_request", "run_tests"),
    planted=RETRY_LOOPS,
    decoys=PATIENT_CALLS,
    stray_errors=("BadRequest", "DailyQuotaUsed", "RateLimited"),
    stray_concepts=("rate limit", "client library"),
    ambient=("client library", "code review"),
    endings={
        "success": ("The client works against {service}.", "Merged, with recorded replies as tests."),
        "partial": ("Works for one page at a time.",),
        "failure": ("Blocked by {service} for the rest of the day.", "Not usable: most calls are refused."),
    },
    lessons={
        "success": ("Read the limits before the first call.",),
        "failure": ("Ask for a test account with higher limits.",),
    },
    tags=("api", "client", "python"),
)
