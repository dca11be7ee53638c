"""English verbs that steps of instructions begin with, and their forms: pure.

A closed list: a word that is no verb here begins no step. It costs recall and keeps "first place" out.
"""

from __future__ import annotations

from functools import cache

VERBS = frozenset(
    (
        *("accept", "acknowledge", "activate", "add", "adjust", "agree", "align", "allow", "analyse", "analyze"),
        *(
            "announce",
            "answer",
            "apologise",
            "apologize",
            "append",
            "apply",
            "approve",
            "archive",
            "arrange",
            "ask",
        ),
        *(
            "assign",
            "attach",
            "authenticate",
            "authorise",
            "authorize",
            "back",
            "bake",
            "begin",
            "benchmark",
            "block",
        ),
        *("boil", "book", "boot", "branch", "bring", "build", "bump", "buy", "calculate", "calibrate", "call"),
        *("cancel", "capture", "change", "charge", "check", "choose", "claim", "clean", "clear", "click", "clone"),
        *(
            "close",
            "collect",
            "combine",
            "commit",
            "compare",
            "compile",
            "complete",
            "compress",
            "compute",
            "confirm",
        ),
        *(
            "connect",
            "contact",
            "continue",
            "convert",
            "cook",
            "copy",
            "correct",
            "count",
            "create",
            "cut",
            "debug",
        ),
        *("decide", "declare", "define", "delete", "deliver", "deploy", "describe", "detach", "diff", "disable"),
        *(
            "disconnect",
            "discuss",
            "document",
            "download",
            "drain",
            "draw",
            "drop",
            "dry",
            "dump",
            "edit",
            "email",
        ),
        *("empty", "enable", "encrypt", "end", "enter", "escalate", "estimate", "evaluate", "examine", "execute"),
        *(
            "export",
            "extract",
            "fetch",
            "file",
            "fill",
            "filter",
            "find",
            "finish",
            "fix",
            "flush",
            "fold",
            "follow",
        ),
        *(
            "format",
            "forward",
            "freeze",
            "generate",
            "get",
            "give",
            "go",
            "greet",
            "grep",
            "grind",
            "group",
            "halt",
        ),
        *("hand", "heat", "help", "identify", "ignore", "import", "index", "inform", "initialise", "initialize"),
        *("insert", "inspect", "install", "invite", "investigate", "invoke", "isolate", "issue", "join", "keep"),
        *(
            "kill",
            "label",
            "launch",
            "let",
            "lint",
            "list",
            "load",
            "lock",
            "log",
            "look",
            "lower",
            "mail",
            "make",
        ),
        *(
            "mark",
            "measure",
            "merge",
            "migrate",
            "mix",
            "monitor",
            "mount",
            "move",
            "name",
            "normalise",
            "normalize",
        ),
        *("note", "notify", "obtain", "offer", "open", "order", "pack", "parse", "paste", "patch", "pause", "pay"),
        *("pick", "ping", "pin", "place", "plan", "plot", "plug", "post", "pour", "prepare", "press", "preview"),
        *(
            "print",
            "process",
            "profile",
            "promote",
            "provide",
            "provision",
            "publish",
            "pull",
            "purge",
            "push",
            "put",
        ),
        *("query", "queue", "raise", "read", "rebase", "reboot", "rebuild", "recalculate", "reconcile", "record"),
        *("recreate", "redeploy", "refactor", "refresh", "refund", "regenerate", "register", "reject", "release"),
        *(
            "reload",
            "remind",
            "remove",
            "rename",
            "render",
            "renew",
            "repair",
            "repeat",
            "replace",
            "reply",
            "report",
        ),
        *("reproduce", "request", "rerun", "reset", "resolve", "restart", "restore", "resume", "retry", "return"),
        *(
            "review",
            "revert",
            "revoke",
            "rewrite",
            "rinse",
            "roll",
            "rotate",
            "run",
            "sample",
            "sanitise",
            "sanitize",
        ),
        *(
            "save",
            "scale",
            "scan",
            "schedule",
            "search",
            "seed",
            "select",
            "send",
            "separate",
            "serve",
            "set",
            "share",
        ),
        *("ship", "show", "shut", "sign", "sort", "split", "squash", "stage", "start", "stir", "stop", "store"),
        *(
            "submit",
            "subscribe",
            "summarise",
            "summarize",
            "switch",
            "sync",
            "tag",
            "take",
            "talk",
            "tear",
            "tell",
        ),
        *("test", "thank", "tidy", "touch", "trace", "train", "transfer", "translate", "trigger", "trim", "try"),
        *("turn", "type", "undo", "unfreeze", "uninstall", "unlock", "unmount", "unplug", "unsubscribe", "unzip"),
        *(
            "update",
            "upgrade",
            "upload",
            "use",
            "validate",
            "verify",
            "view",
            "visit",
            "wait",
            "warm",
            "warn",
            "wash",
        ),
        *("watch", "weigh", "wipe", "wrap", "write", "zip"),
    )
)

_AUXILIARIES = frozenset(
    (
        *("is", "was", "are", "were", "am", "be", "been", "has", "had", "will", "would", "can", "could", "should"),
        *("may", "might", "must", "got", "gets", "went", "did", "does", "came", "seems", "takes", "took", "ran"),
    )
)
"""Behind a word they say that it was a noun: "build was slow"."""

_VOWELS = frozenset("aeiou")
_DOUBLED = frozenset("bdglmnprt")


def is_step(clause: str) -> bool:
    """Whether a clause is an order: it begins with a bare verb, and no verb in the past or auxiliary follows."""
    words = clause.split()
    if not words or words[0].casefold() not in VERBS:
        return False
    following = words[1].casefold() if len(words) > 1 else ""
    return following not in _AUXILIARIES and not (following.endswith("ed") and len(following) > 4)


def from_gerund(clause: str) -> str | None:
    """The order that a clause in -ing holds: `running the tests` gives `run the tests`; None for any other."""
    first, _, rest = clause.partition(" ")
    verb = _gerunds().get(first.casefold())
    return None if verb is None else f"{verb} {rest}".strip()


@cache
def _gerunds() -> dict[str, str]:
    return {gerund(verb): verb for verb in sorted(VERBS)}


def gerund(verb: str) -> str:
    """The form in -ing: run, running; make, making; lie verbs are not in the list.

    >>> gerund("run"), gerund("take"), gerund("deploy"), gerund("open")
    ('running', 'taking', 'deploying', 'opening')
    """
    if verb.endswith("e") and not verb.endswith("ee"):
        return f"{verb[:-1]}ing"
    vowels = sum(letter in _VOWELS for letter in verb)
    is_closed = len(verb) > 2 and verb[-1] in _DOUBLED and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    if is_closed and (vowels == 1 or verb in {"commit", "submit", "begin"}):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"
