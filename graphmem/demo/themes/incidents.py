"""Ops: services that answer slowly or not at all. Hides `pool-exhausted`."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "check_service": Action(
        tools=("http_probe",),
        why=(
            "See the fault with my own eyes.",
            "Probe {service} before touching anything.",
            "Is it still failing?",
        ),
        good=("{service} answers in 60 ms.", "All probes of {service} are green."),
        bad=("504 from {service} on every third request.", "No answer from {service} within 30 s."),
        arguments={"region": ("eu-west", "us-east", "ap-north")},
    ),
    "inspect_metrics": Action(
        tools=("dashboard",),
        why=("Numbers before guesses.", "Compare load and waiting connections over the last hour."),
        good=("Load is normal, waiting connections at {count}.", "Latency rose at {clock}, traffic did not."),
        bad=("Latency rose at {clock} and stayed there.", "The dashboard has a gap for that hour."),
        arguments={"window": ("hour", "day")},
    ),
    "read_logs": Action(
        tools=("log_search",),
        why=("The log tells which call waits.", "Search the log around {clock}."),
        good=("Many lines 'waited for a connection'.", "First warning at {clock}, from {service}."),
        bad=("Only health checks and one warning in the log.",),
    ),
    "raise_pool_limit": Action(
        tools=("config_store",),
        why=("Callers wait for connections; give them more.", "The database has room, the pool has not."),
        good=("Pool limit raised to {count}.", "Limit doubled; the queue drained in a minute."),
        bad=("The change was rejected by the config check.",),
        arguments={"persistent": (True, False)},
    ),
    "restart_service": Action(
        tools=("cluster",),
        why=("A restart is quick.", "Clear the state of {service} and look again."),
        good=("{service} is up again.", "All instances restarted, errors gone for now."),
        bad=("The errors came back after five minutes.", "Two instances did not start."),
    ),
    "move_tenant": Action(
        tools=("cluster",),
        why=("One neighbour takes all the capacity.", "Give the loud tenant its own node."),
        good=("The tenant runs on its own node.",),
        bad=("No free node in the region.",),
    ),
    "notify_team": Action(
        tools=("chat",),
        why=("The team should know.", "Post the state before the next step."),
        good=("Posted in the incident channel.", "On-call has acknowledged."),
        bad=("Nobody answered.",),
    ),
    "write_timeline": Action(
        tools=("notes",),
        why=("Keep the order of events for the review.", "Write it down while it is fresh."),
        good=("Timeline saved.", "Review document started."),
        bad=("The document is read-only.",),
    ),
}

_TIMEOUT = ("GatewayTimeout",)
_POOL = (("GatewayTimeout", "PoolExhausted"),)

INCIDENTS = Theme(
    key="incident",
    domain="ops",
    language="en",
    size=40,
    cast=Cast("pool-exhausted", success=19, partial=1, failure=0),
    other_success=0.25,
    versioned=False,
    tasks=(
        Task(
            "checkout-timeouts",
            (
                ("Bring checkout back to normal", "Customers see 504 at checkout since {clock}."),
                ("Find out why checkout times out", "Alert: checkout error rate above 5 per cent."),
            ),
            slots={"service": "checkout"},
        ),
        Task(
            "search-slow",
            (("Make search fast again", "Search takes {millis} ms, normal is 80."),),
            slots={"service": "search-api"},
        ),
        Task(
            "login-errors",
            (("Stop the login errors", "Users report that login hangs."),),
            slots={"service": "login"},
        ),
        Task(
            "nightly-import-stuck",
            (("Get the nightly import through", "The import has been waiting since {clock}."),),
            slots={"service": "importer"},
        ),
        Task(
            "mobile-api-504",
            (("Clear the 504s of the mobile API", "The app shows an empty screen."),),
            slots={"service": "mobile-gateway"},
        ),
    ),
    one_offs=(
        ("Rotate the certificate of {service}", "The certificate expires in three days."),
        ("Free space on the log volume", "Disk alert: 94 per cent."),
        ("Add a health check to {service}", "We noticed the last outage far too late."),
        ("Explain last night's load peak", "What happened at {clock}?"),
    ),
    slots={
        "service": ("checkout", "search-api", "login", "importer", "mobile-gateway"),
        "millis": ("2##0", "1##0", "4##"),
        "count": ("40", "64", "120", "200"),
        "clock": ("02:1#", "09:4#", "14:3#", "21:5#"),
    },
    actions=_ACTIONS,
    fillers=("notify_team", "write_timeline", "read_logs"),
    planted=(
        Scene(
            (
                Move("check_service", errors=_TIMEOUT),
                Move("inspect_metrics", concepts=("connection pool",)),
                Move("raise_pool_limit", fixes=("PoolExhausted",)),
            ),
            causes=_POOL,
            lessons=("Timeouts under normal load: look at the waiting connections first.",),
        ),
        Scene(
            (
                Move("check_service", concepts=("latency",), errors=_TIMEOUT),
                Move("read_logs"),
                Move("inspect_metrics", concepts=("connection pool",)),
                Move("raise_pool_limit", concepts=("connection pool",), fixes=("PoolExhausted",)),
                Move("check_service"),
            ),
            causes=_POOL,
            lessons=("Raise the pool limit, then probe again.",),
        ),
        Scene(
            (
                Move("check_service", errors=_TIMEOUT),
                Move("raise_pool_limit", fixes=("PoolExhausted",)),
                Move("restart_service"),
            ),
            causes=_POOL,
        ),
    ),
    decoys=(
        Scene(
            (
                Move("check_service", errors=_TIMEOUT),
                Move("inspect_metrics"),
                Move("move_tenant", fixes=("NoisyNeighbor",)),
            ),
            causes=(("GatewayTimeout", "NoisyNeighbor"),),
        ),
        Scene(
            (
                Move("check_service", errors=_TIMEOUT),
                Move("restart_service", effective=False),
                Move("restart_service", effective=False),
            ),
        ),
        Scene(
            (
                Move("inspect_metrics", errors=("PoolExhausted",)),
                Move("raise_pool_limit", effective=False),
                Move("restart_service"),
            ),
        ),
        Scene(
            (
                Move("read_logs", errors=("ConnectionReset",)),
                Move("raise_pool_limit", concepts=("connection pool",), effective=False),
                Move("check_service"),
            ),
            causes=(("ConnectionReset", "PoolExhausted"),),
        ),
    ),
    stray_errors=("GatewayTimeout", "ConnectionReset", "NameNotResolved", "DiskFull"),
    stray_concepts=("latency", "connection pool", "database", "deployment"),
    ambient=("deployment", "alert", "latency"),
    endings={
        "success": ("{service} is back to normal.", "Error rate at zero for an hour."),
        "partial": ("Better, but slow at peak hours.", "{service} works with reduced capacity."),
        "failure": ("Still failing; the incident stays open.", "The errors came back overnight."),
    },
    lessons={
        "success": ("Post the state before each change.", "One change at a time."),
        "failure": ("A restart hides the cause.", "Do not change limits without looking at the metrics."),
    },
    tags=("incident", "on-call", "latency", "database"),
)
