"""Coding: bugs to fix. Hides `reproduce-first`, visible only at the general concept `RuntimeFault`."""

from __future__ import annotations

from graphmem.demo.taxonomy import BUILD_FAULTS, RUNTIME_FAULTS
from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "reproduce_bug": Action(
        tools=("shell",),
        why=(
            "I want to see it fail here.",
            "Run the reported steps on {branch}.",
            "No fix without a failing case.",
        ),
        good=("It fails the same way in {module}.", "Fails every time with the reported input."),
        bad=("It does not fail on this machine.",),
        arguments={"clean": (True, False)},
    ),
    "write_failing_test": Action(
        tools=("editor",),
        why=("Pin the fault down in a test.", "A test first, then the change."),
        good=("The new test fails, as it should.", "Test added beside {module}."),
        bad=("The test passes: it does not catch the fault.",),
    ),
    "patch_code": Action(
        tools=("editor",),
        why=("The cause is in {module}; change it.", "A small change should do.", "Handle the missing case."),
        good=("Changed four lines in {module}.", "The guard is in place."),
        bad=("The change breaks another caller.",),
    ),
    "run_tests": Action(
        tools=("shell",),
        why=("See whether everything still holds.", "Run the whole suite."),
        good=("All {count} tests pass.", "Green."),
        bad=("{small} tests fail.", "The suite hangs in {module}."),
        arguments={"parallel": (True, False)},
    ),
    "search_code": Action(
        tools=("code_search",),
        why=("Who calls this?", "Look for other uses in {module}."),
        good=("{small} callers found.", "Only one place builds this value."),
        bad=("Too many hits to be of use.",),
    ),
    "read_history": Action(
        tools=("git",),
        why=("When did it last work?", "Look at the latest changes of {module}."),
        good=("Changed last week, on {branch}.", "The line is three years old."),
        bad=("The history was squashed.",),
    ),
    "ask_reviewer": Action(
        tools=("chat",),
        why=("A second pair of eyes.", "The owner of {module} may know."),
        good=("The reviewer agrees.", "The owner points to the parser."),
        bad=("The reviewer is away.",),
    ),
    "open_pull_request": Action(
        tools=("git",),
        why=("Ready for review.", "Hand the change in."),
        good=("Pull request opened.", "Merged after one comment."),
        bad=("Conflicts with {branch}.",),
    ),
}

_FAULT = ("{fault}",)
_BUILD = ("{build_fault}",)

BUGS = Theme(
    key="bug",
    domain="coding",
    language="en",
    size=40,
    cast=Cast("reproduce-first", success=19, partial=0, failure=1),
    other_success=0.25,
    versioned=True,
    tasks=(
        Task(
            "fix-import-crash",
            (
                ("Fix the crash when importing an empty file", "Import of an empty file ends in a traceback."),
                ("Make the importer survive odd files", "The importer died on my file, see the log."),
            ),
            slots={"module": "parser.py"},
        ),
        Task(
            "fix-wrong-total",
            (("Correct the total on the invoice page", "The total is off by a cent."),),
            slots={"module": "billing.py"},
        ),
        Task(
            "fix-login-loop",
            (("End the login loop", "After the update I am sent back to login for ever."),),
            slots={"module": "session.py"},
        ),
        Task(
            "fix-broken-export",
            (("Repair the export to a file", "The export stops half way."),),
            slots={"module": "export.py"},
        ),
        Task(
            "fix-flaky-date",
            (("Fix the date check that fails at night", "CI is red after midnight."),),
            slots={"module": "calendar.py"},
        ),
    ),
    one_offs=(
        ("Rename the module {module}", "The name confuses everyone."),
        ("Upgrade the build to the new compiler", "The old compiler is no longer supported."),
        ("Remove dead code from {module}", "Half of {module} is never called."),
        ("Document the settings of {module}", "Nobody knows what the settings do."),
    ),
    slots={
        "module": ("parser.py", "billing.py", "session.py", "export.py", "calendar.py"),
        "branch": ("main", "release-2.4", "feature/import"),
        "count": ("4##", "1###"),
        "small": ("2", "3", "5", "7"),
        "fault": RUNTIME_FAULTS,
        "build_fault": BUILD_FAULTS,
    },
    actions=_ACTIONS,
    fillers=("search_code", "read_history", "ask_reviewer", "open_pull_request"),
    planted=(
        Scene(
            (
                Move("reproduce_bug", concepts=_FAULT),
                Move("write_failing_test"),
                Move("patch_code"),
                Move("run_tests"),
            ),
            lessons=("Reproduce, write the failing test, then change the code.",),
        ),
        Scene(
            (
                Move("reproduce_bug", concepts=_FAULT),
                Move("write_failing_test", concepts=("regression test",)),
                Move("run_tests", effective=False),
                Move("patch_code"),
            ),
            lessons=("The failing test showed the real cause.",),
        ),
    ),
    decoys=(
        Scene(
            (
                Move("reproduce_bug", concepts=_BUILD),
                Move("write_failing_test"),
                Move("run_tests", effective=False),
            )
        ),
        Scene(
            (
                Move("patch_code", concepts=_FAULT),
                Move("run_tests", effective=False),
                Move("reproduce_bug", concepts=_FAULT),
            ),
        ),
        Scene((Move("reproduce_bug", concepts=_FAULT), Move("patch_code"), Move("write_failing_test"))),
        Scene((Move("write_failing_test", concepts=_FAULT), Move("patch_code"), Move("reproduce_bug"))),
    ),
    stray_errors=("TestFailed", "MergeConflict", "HangingTest"),
    stray_concepts=("regression test", "bug fix", "{build_fault}", "{fault}"),
    ambient=("code review", "bug fix"),
    endings={
        "success": ("Fixed in {module}, with a test.", "Merged to {branch}; the report is closed."),
        "partial": ("Works for the reported input only.", "A workaround is in, the cause is not found."),
        "failure": ("The change was reverted.", "The fault came back in the next build."),
    },
    lessons={
        "success": ("Small changes are merged on the same day.", "Ask the owner of the module early."),
        "failure": ("A change without a failing test only moves the fault.", "Read the history before patching."),
    },
    tags=("bug", "python", "regression", "review"),
)
