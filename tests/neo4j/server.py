"""A throw-away Neo4j server for tests and development: no container engine, authentication on, loopback only.

    python tests/neo4j/server.py fetch                  both lines' jars, checked
    python tests/neo4j/server.py start --line 2026      prints NEO4J_URI=bolt://127.0.0.1:PORT
    python tests/neo4j/server.py stop --line 2026       ends it and removes its data

`start` leaves a guard behind (`run`) that owns the server: it removes the data when the server is to end, which is
on `stop`, on a signal, when the server dies, or when the owner's lock is released (`--owner`): so a test run that
is killed leaves nothing running.
"""

from __future__ import annotations

import argparse
import fcntl
import getpass
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TextIO

import jars
from lines import LINES, UnavailableError, locked
from process import Needs, Server, StartError

UNAVAILABLE = 3
STOP_SECONDS = 20
PASSWORD = "graphmem-test"


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 3 means that this machine cannot run the server."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command != "fetch" and not options.line:
        parser.error(f"{options.command} needs --line")
    commands = {"fetch": fetch, "start": start, "stop": stop, "run": run}
    try:
        commands[options.command](options)
    except UnavailableError as reason:
        print(reason, file=sys.stderr)
        return UNAVAILABLE
    except StartError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def fetch(options: argparse.Namespace) -> None:
    """Fetch and check the jars of the named line, or of both."""
    for line in [LINES[options.line]] if options.line else LINES.values():
        print(f"Neo4j {line.version}: {jars.fetch(line)}")


def start(options: argparse.Namespace) -> None:
    """Start a guard and its server in the background, wait for Bolt, and print where it answers."""
    folder = _folder(options)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(folder / "start"):
        if not _is_guarded(folder):
            _spawn_guard(options, folder)
    print(f"user neo4j, password {options.password}", file=sys.stderr)
    print(f"NEO4J_URI={(folder / 'uri').read_text(encoding='utf-8')}")


def stop(options: argparse.Namespace) -> None:
    """Ask the guard to end its server, and wait until it has."""
    folder = _folder(options)
    deadline = time.monotonic() + STOP_SECONDS
    while _is_guarded(folder):
        if time.monotonic() > deadline:
            raise StartError(f"the guard of {folder} does not end")
        if pid := (folder / "guard").read_text(encoding="utf-8"):
            os.kill(int(pid), signal.SIGTERM)
        time.sleep(0.25)
    shutil.rmtree(folder, ignore_errors=True)


def run(options: argparse.Namespace) -> None:
    """Be the guard: hold a server until nobody wants it, then remove its data."""
    unwanted = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: unwanted.set())
    folder = _folder(options)
    with (folder / "guard").open("a", encoding="utf-8") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        guard.truncate(0)
        guard.write(str(os.getpid()))
        guard.flush()
        try:
            _serve(_needs(options), folder, unwanted, options.owner)
        finally:
            (folder / "uri").unlink(missing_ok=True)
            shutil.rmtree(folder / "home", ignore_errors=True)


def _serve(needs: Needs, folder: Path, unwanted: threading.Event, owner: Path | None) -> None:
    shutil.rmtree(folder / "home", ignore_errors=True)
    server = Server(needs, folder / "home")
    try:
        if owner:
            threading.Thread(target=_outlive, args=(owner, unwanted), daemon=True).start()
        server.wait(unwanted.is_set)
        _publish(folder / "uri", server.uri)
        while not unwanted.wait(0.5):
            if not server.is_running:
                raise StartError(f"Neo4j ended by itself:\n{server.log()}")
    finally:
        server.stop()


def _outlive(owner: Path, unwanted: threading.Event) -> None:
    # The owner holds this lock as long as it lives: the kernel frees it, however the owner ends.
    with owner.open("r", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
    unwanted.set()


def _spawn_guard(options: argparse.Namespace, folder: Path) -> None:
    command = [sys.executable, __file__, "run", "--line", options.line, "--folder", str(folder)]
    command += ["--password", options.password, "--heap", options.heap, "--pagecache", options.pagecache]
    command += ["--owner", str(options.owner)] if options.owner else []
    (folder / "uri").unlink(missing_ok=True)  # a guard that was killed leaves it behind
    log = folder / "guard.log"
    with log.open("w", encoding="utf-8") as output:
        guard = _detached(command, output)
    # No limit here: fetching may take minutes, and the guard limits what comes after it.
    while not (folder / "uri").exists():
        if (code := guard.poll()) is not None:
            said = log.read_text(encoding="utf-8").strip()
            raise UnavailableError(said) if code == UNAVAILABLE else StartError(said)
        time.sleep(0.1)


def _detached(command: list[str], output: TextIO) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
    )


def _is_guarded(folder: Path) -> bool:
    try:
        with (folder / "guard").open("r", encoding="utf-8") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _publish(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.rename(path)


def _needs(options: argparse.Namespace) -> Needs:
    return Needs(LINES[options.line], options.password, options.heap, options.pagecache)


def _folder(options: argparse.Namespace) -> Path:
    chosen: Path | None = options.folder
    return chosen or Path(tempfile.gettempdir()) / f"graphmem-neo4j-{getpass.getuser()}" / options.line


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="A throw-away Neo4j server for tests and development.")
    parser.add_argument("command", choices=["fetch", "start", "stop", "run"])
    parser.add_argument("--line", choices=LINES, help="needed for all but fetch, which takes both")
    parser.add_argument("--folder", type=Path, help="where it lives (default: one a user and line)")
    parser.add_argument("--password", default=PASSWORD, help=f"of the user neo4j (default: {PASSWORD})")
    parser.add_argument("--heap", default="512m", help="of Java (default: 512m)")
    parser.add_argument("--pagecache", default="128m", help="of the store's files (default: 128m)")
    parser.add_argument("--owner", type=Path, help="a locked file: the server ends when the lock is released")
    return parser


if __name__ == "__main__":
    sys.exit(main())
