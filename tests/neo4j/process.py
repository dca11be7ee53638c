"""One Neo4j server as a child process: configured in a fresh folder, watched until Bolt answers, stopped.

Leaves out who wants it and for how long (server).
"""

from __future__ import annotations

import ctypes
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jars
import java as javas
from lines import Line

START_SECONDS = 180

_FOLDERS = {
    "server.directories.data": "data",
    "server.directories.transaction.logs.root": "data/transactions",
    "server.directories.logs": "logs",
    "server.directories.run": "run",
    "server.directories.plugins": "plugins",
    "server.directories.import": "import",
    "server.directories.licenses": "licenses",
}

# The transaction log is kept small: the default reserves 256 MB a database.
_SETTINGS = """\
server.default_listen_address=127.0.0.1
server.bolt.enabled=true
server.bolt.tls_level=DISABLED
server.http.enabled=false
server.https.enabled=false
server.config.strict_validation.enabled=true
dbms.security.auth_enabled=true
dbms.security.allow_csv_import_from_file_urls=false
dbms.usage_report.enabled=false
db.transaction.timeout=120s
db.lock.acquisition.timeout=20s
db.tx_log.preallocate=false
db.tx_log.rotation.size=16M
db.tx_log.rotation.retention_policy=keep_none
"""

# A Bolt handshake: the magic number, then the protocol versions on offer (5.8 to 5.0, 4.4 to 4.0).
_HANDSHAKE = bytes.fromhex("6060b017 00000006 00080805 00040404 00000000")


class StartError(Exception):
    """The server ended or stayed silent; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a server is started with."""

    line: Line
    password: str
    heap: str
    pagecache: str


class Server:
    """A server that is starting or running in a folder of its own."""

    def __init__(self, needs: Needs, home: Path) -> None:
        self._port = _free_port()
        self._log = home / "logs" / "console.log"
        lib = jars.fetch(needs.line)
        java = javas.find_java(needs.line)
        command = [str(java.command), *javas.options(java, needs.line, needs.heap), "-cp", f"{lib}/*"]
        _configure(needs, home, self._port)
        _set_password(command, needs.password, home)
        place = [f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, needs.line.main_class, *place],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=_end_with_parent,  # noqa: PLW1509 (no other thread holds a lock at this point)
            )

    @property
    def uri(self) -> str:
        """Where it answers."""
        return f"bolt://127.0.0.1:{self._port}"

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def wait(self, is_unwanted: Callable[[], bool]) -> None:
        """Wait until Bolt answers, or nobody wants it any more.

        Raises:
            StartError: the server ended, or gave no answer within START_SECONDS.
        """
        deadline = time.monotonic() + START_SECONDS
        while not is_unwanted() and not _answers(self._port):
            if not self.is_running or time.monotonic() > deadline:
                state = "gave no answer in time" if self.is_running else "ended while starting"
                raise StartError(f"Neo4j {state}:\n{self.log()}")
            time.sleep(0.25)

    def log(self) -> str:
        """Give the end of what the server printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-4000:]

    def stop(self) -> None:
        """End the process at once: its data is thrown away, so that there is nothing to finish."""
        self._process.kill()
        self._process.wait()


def _configure(needs: Needs, home: Path, port: int) -> None:
    for folder in ("conf", *_FOLDERS.values()):
        (home / folder).mkdir(parents=True, exist_ok=True)
    lines = [f"{name}={home / folder}" for name, folder in _FOLDERS.items()]
    lines += [f"server.bolt.listen_address=127.0.0.1:{port}", f"server.bolt.advertised_address=127.0.0.1:{port}"]
    lines += [f"server.memory.pagecache.size={needs.pagecache}", *needs.line.settings]
    (home / "conf" / "neo4j.conf").write_text(_SETTINGS + "\n".join(lines) + "\n", encoding="utf-8")


def _set_password(command: list[str], password: str, home: Path) -> None:
    admin = [*command, "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", password]
    places = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    done = subprocess.run(admin, env=places, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StartError(f"Neo4j refused the initial password:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def _end_with_parent() -> None:
    # Linux only: when the guard is killed outright, the kernel ends the server in its place.
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def _free_port() -> int:
    # Below the range that outgoing connections take theirs from, so that none is taken before the server is up.
    while True:
        port = 20000 + secrets.randbelow(12000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.settimeout(3)
            connection.sendall(_HANDSHAKE)
            return any(connection.recv(4))
    except OSError:
        return False
