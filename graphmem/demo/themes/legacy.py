"""Ops: three hard tasks on an old cluster. Holds the trap `legacy-console`.

Nearly every run opens the same console and nearly every run fails, whatever it does: over all
episodes the console looks guilty, within a task it makes no difference.
"""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "read_runbook": Action(
        tools=("wiki",),
        why=("There must be a page on this.", "The old cluster has its own rules."),
        good=("The page is from years ago, but the steps are there.", "Found the steps for a manual recovery."),
        bad=("The page is empty.",),
    ),
    "open_console": Action(
        tools=("legacy_console",),
        why=("The old cluster has no other way in.", "Only the console shows its state."),
        good=("Logged in to the console.", "The console shows {count} stuck jobs."),
        bad=("The console froze.",),
    ),
    "drain_queue": Action(
        tools=("queue_admin",),
        why=("Stop new work before repairing.", "The queue must be empty first."),
        good=("Queue drained.",),
        bad=("The queue fills faster than it drains.",),
    ),
    "restore_backup": Action(
        tools=("backup",),
        why=("Go back to the last good state.",),
        good=("Backup of {day} restored.",),
        bad=("The backup cannot be read.", "Checksum mismatch in the backup."),
    ),
    "list_nodes": Action(
        tools=("cluster",),
        why=("Which nodes are left?",),
        good=("Four of six nodes answer.", "All nodes answer, slowly."),
        bad=("The list is a week old.",),
    ),
    "notify_team": Action(
        tools=("chat",),
        why=("The owners should hear of it.",),
        good=("The owners know.",),
        bad=("No owner is listed.",),
    ),
}

_CONSOLE = (Move("read_runbook"), Move("open_console", tools_always=True))

LEGACY = Theme(
    key="legacy",
    domain="ops",
    language="en",
    size=12,
    cast=Cast("legacy-console", success=1, partial=1, failure=8),
    other_success=0.0,
    versioned=False,
    tasks=(
        Task(
            "legacy-billing-restore", (("Restore the old billing cluster", "Billing has been down since {day}."),)
        ),
        Task("legacy-queue-stuck", (("Unblock the old job queue", "{count} jobs are stuck."),)),
        Task("legacy-node-lost", (("Replace the lost node of the old cluster", "A node is gone since {day}."),)),
    ),
    one_offs=(),
    slots={"count": ("3##", "1##"), "day": ("Monday", "Friday", "Sunday")},
    actions=_ACTIONS,
    fillers=("notify_team", "list_nodes"),
    planted=(
        Scene(
            (*_CONSOLE, Move("drain_queue"), Move("restore_backup", errors=("BackupUnreadable",), effective=False))
        ),
        Scene((*_CONSOLE, Move("restore_backup", errors=("BackupUnreadable",), effective=False))),
        Scene((*_CONSOLE, Move("drain_queue", effective=False))),
    ),
    decoys=(Scene((Move("open_console"), Move("read_runbook"), Move("restore_backup", effective=False))),),
    stray_errors=("BackupUnreadable",),
    stray_concepts=("old cluster", "backup"),
    ambient=("old cluster", "backup"),
    endings={
        "success": ("The old cluster runs again.",),
        "partial": ("Half of the jobs came back.",),
        "failure": ("Given up; the data has to be entered again.", "The cluster stays down."),
    },
    lessons={
        "success": ("Drain before restoring.",),
        "failure": ("Test backups before they are needed.",),
    },
    tags=("legacy", "on-call"),
)
