"""Data: reports out of the warehouse. Hides `parallel-reconcile`: two loads side by side, then one join."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "plan_report": Action(
        tools=("notes",),
        why=("Write down which tables and which days.", "What exactly is asked for?"),
        good=("Orders and refunds of {month}, net of tax.", "Plan agreed with {team}."),
        bad=("The request is ambiguous.",),
    ),
    "load_orders": Action(
        tools=("warehouse",),
        why=("Orders of {month} are the base.", "Load the orders by day."),
        good=("{rows} orders loaded.", "Orders loaded, no gaps."),
        bad=("The load stopped at the 12th.",),
        arguments={"grain": ("day", "week"), "net": (True, False)},
    ),
    "load_refunds": Action(
        tools=("warehouse",),
        why=("Refunds have to be taken off.", "Refunds come from another table."),
        good=("{small} refunds loaded.", "Refunds loaded with their reasons."),
        bad=("The refunds table is a day behind.",),
        arguments={"grain": ("day", "week")},
    ),
    "reconcile_totals": Action(
        tools=("sql",),
        why=("Both sides must agree to the cent.", "Compare with the ledger."),
        good=("Difference 0.00.", "Totals agree with the ledger."),
        bad=("{small} rows do not match.", "Off by {amount}."),
    ),
    "clean_columns": Action(
        tools=("sql",),
        why=("Some amounts are text.", "Trim the currency signs."),
        good=("Amounts are numbers.", "Cleaned {rows} rows."),
        bad=("Dates in three formats.",),
    ),
    "draw_chart": Action(
        tools=("plotter",),
        why=("A chart says more to {team} than a table.", "Show the trend at a glance."),
        good=("Chart drawn.", "One line a region."),
        bad=("The axis is unreadable.",),
    ),
    "publish_report": Action(
        tools=("dashboard",),
        why=("Put it where {team} looks.", "Ready to be seen."),
        good=("Published for {team}.", "The dashboard shows the new figures."),
        bad=("No right to publish there.",),
    ),
    "ask_analyst": Action(
        tools=("chat",),
        why=("Which definition of revenue?", "The analyst knows the exceptions."),
        good=("Net revenue, without gift cards.", "The analyst sent a note."),
        bad=("No answer today.",),
    ),
}

_LOADS = (Move("load_orders", after=(0,)), Move("load_refunds", after=(0,)))

SALES_REPORTS = Theme(
    key="report",
    domain="data",
    language="en",
    size=36,
    cast=Cast("parallel-reconcile", success=17, partial=0, failure=1),
    other_success=0.25,
    versioned=False,
    tasks=(
        Task(
            "report-net-revenue",
            (
                ("Report net revenue of {month}", "Please send {team} the net revenue of {month}."),
                ("Net revenue by region for {month}", "Can I have {month} by region?"),
            ),
        ),
        Task("report-refund-rate", (("Report the refund rate of {month}", "Is the refund rate going up?"),)),
        Task("report-store-ranking", (("Rank the stores for {month}", "Which stores did best in {month}?"),)),
        Task("report-close-month", (("Close the books of {month}", "Please close {month} by Friday."),)),
    ),
    one_offs=(
        ("List customers who bought twice in {month}", "Marketing asks for repeat buyers."),
        ("Explain the jump in returns", "Why did returns double in {month}?"),
        ("Estimate the cost of free shipping", "What did free shipping cost us in {month}?"),
    ),
    slots={
        "month": ("January", "February", "March", "April"),
        "team": ("finance", "marketing", "the board", "sales"),
        "rows": ("1##,###", "2#,###"),
        "small": ("3##", "#1", "8#"),
        "amount": ("1#.##", "2##.##"),
    },
    actions=_ACTIONS,
    fillers=("clean_columns", "draw_chart", "ask_analyst", "publish_report"),
    planted=(
        Scene(
            (
                Move("plan_report"),
                *_LOADS,
                Move("reconcile_totals", concepts=("ledger",), after=(1, 2)),
                Move("publish_report"),
            ),
            lessons=("Load both sides for the same cut-off time, then reconcile.",),
        ),
        Scene(
            (
                Move("plan_report", concepts=("revenue",)),
                *_LOADS,
                Move("ask_analyst", after=(0,)),
                Move("reconcile_totals", after=(1, 2, 3)),
            ),
            lessons=("Loading side by side keeps both tables at one state.",),
        ),
    ),
    decoys=(
        Scene((Move("plan_report"), Move("load_orders"), Move("load_refunds"), Move("reconcile_totals"))),
        Scene(
            (
                Move("load_refunds"),
                Move("reconcile_totals", errors=("TotalsDiffer",), effective=False),
                Move("load_orders"),
                Move("plan_report"),
            ),
        ),
        Scene(
            (
                Move("plan_report"),
                Move("load_orders", after=(0,)),
                Move("clean_columns", after=(0,)),
                Move("reconcile_totals", errors=("TotalsDiffer",), effective=False, after=(1, 2)),
                Move("load_refunds"),
            ),
            causes=(("TotalsDiffer", "RefundsMissing"),),
        ),
    ),
    stray_errors=("TotalsDiffer", "TableLocked", "StaleData"),
    stray_concepts=("revenue", "ledger", "refund", "raw table"),
    ambient=("schedule", "dashboard layout", "revenue"),
    endings={
        "success": ("Report for {month} published, totals agree.", "The figures are with {team}."),
        "partial": ("Published with a note on {small} open rows.",),
        "failure": ("Withdrawn: the totals did not agree.", "Not delivered in time."),
    },
    lessons={
        "success": ("Ask for the definition of revenue first.", "Draw the chart last."),
        "failure": ("Tables loaded an hour apart never agree.", "Do not publish before reconciling."),
    },
    tags=("report", "finance", "monthly", "warehouse"),
)
