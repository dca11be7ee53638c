"""A gate in front of a server: closed, it breaks open connections and lets no new one in."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Gate:
    """Passes bytes between clients and a server while it is open."""

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        assert parts.hostname is not None
        assert parts.port is not None
        self._server = (parts.hostname, parts.port)
        self._sockets: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self._port = 0
        self.open()
        self.uri = f"bolt://127.0.0.1:{self._port}"

    def open(self) -> None:
        """Let connections in."""
        listener = socket.create_server(("127.0.0.1", self._port))
        self._listener = listener
        self._port = listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def close(self) -> None:
        """Break all connections and refuse new ones."""
        if self._listener is not None:
            _shut(self._listener)
            self._listener = None
        while self._sockets:
            _shut(self._sockets.pop())

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._server)
            self._sockets += [client, server]
            for ends in ((client, server), (server, client)):
                threading.Thread(target=_pass_on, args=ends, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    _shut(source)
    _shut(target)


def _shut(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
