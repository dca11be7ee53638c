"""Data: collecting rows from other people's services. Hides `retry-loop`, beside clients."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Task, Theme
from graphmem.demo.themes.api_calls import API_SLOTS, BACK_OFF, CALL_API, PATIENT_CALLS, READ_DOCS, RETRY_LOOPS

_ACTIONS = {
    "call_api": CALL_API,
    "back_off": BACK_OFF,
    "read_docs": READ_DOCS,
    "store_rows": Action(
        tools=("warehouse",),
        why=("Keep what has arrived.", "Write the batch before the next call."),
        good=("{count} rows stored.", "Batch stored, no duplicates."),
        bad=("The table is locked.",),
    ),
    "check_schema": Action(
        tools=("warehouse",),
        why=("The columns may have changed.",),
        good=("Same columns as yesterday.", "One new column, ignored."),
        bad=("A column is missing.",),
    ),
    "notify_owner": Action(
        tools=("mail",),
        why=("The owner of the table waits for it.",),
        good=("Owner informed.",),
        bad=("The owner has left the company.",),
    ),
}

COLLECTION = Theme(
    key="collect",
    domain="data",
    language="en",
    size=18,
    cast=Cast("retry-loop", success=0, partial=0, failure=8),
    other_success=0.72,
    versioned=False,
    tasks=(
        Task(
            "collect-weather",
            (("Collect last month's weather by city", "The forecast model needs March."),),
            slots={"service": "the weather service"},
        ),
        Task(
            "collect-reviews",
            (("Collect the product reviews of the partner", "Fetch all reviews, please."),),
            slots={"service": "the partner API"},
        ),
    ),
    one_offs=(
        ("Fetch exchange rates for {count} days", "Finance needs the rates by noon."),
        ("Fill the gap in the price history", "Two days are missing in the prices."),
    ),
    slots=API_SLOTS,
    actions=_ACTIONS,
    fillers=("store_rows", "check_schema", "notify_owner"),
    planted=RETRY_LOOPS,
    decoys=PATIENT_CALLS,
    stray_errors=("TableLocked", "DailyQuotaUsed", "RateLimited"),
    stray_concepts=("rate limit", "raw table"),
    ambient=("raw table", "schedule"),
    endings={
        "success": ("All rows are in the warehouse.", "The gap is filled."),
        "partial": ("The first {count} rows arrived.",),
        "failure": ("No rows: the service blocked us.", "Stopped after an hour of refusals."),
    },
    lessons={
        "success": ("Small pages and a pause are faster in the end.",),
        "failure": ("Collect at night, when the limits are higher.",),
    },
    tags=("etl", "api", "warehouse"),
)
