"""What tests need to play a chat service on real sockets, and to break one."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from graphmem.ports.language_model import ModelRequest

PATH = "/v1/chat/completions"
REQUEST = ModelRequest(
    prompt="greeting",
    system="Reply with JSON.",
    user="private words of Ada",
    schema={"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    max_tokens=100,
    language="en",
)


def completion(text: str | None, **changes: Any) -> dict[str, Any]:
    """A chat completion with this text.

    Args:
        text: Of the only choice.
        **changes: finish_reason or usage of the answer, refusal of the message.
    """
    message = {"role": "assistant", "content": text, "refusal": changes.get("refusal")}
    choice = {"index": 0, "message": message, "finish_reason": changes.get("finish_reason", "stop")}
    usage = changes.get("usage", {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "small",
        "choices": [choice],
        **({"usage": usage} if usage else {}),
    }


def bodies(httpserver: HTTPServer) -> list[dict[str, Any]]:
    """What was sent, in order."""
    return [json.loads(request.get_data()) for request, _ in httpserver.log]


def refusing(*arguments: str, status: int = 400, words: str = "") -> Any:
    """A handler that refuses some arguments and answers without them."""

    def handle(request: Request) -> Response:
        given = json.loads(request.get_data())
        for argument in arguments:
            if argument in given:
                error = {"message": words or f"Unsupported parameter: {argument}", "param": argument}
                return Response(json.dumps({"error": error}), status=status, content_type="application/json")
        return Response(json.dumps(completion('{"a": 1}')), content_type="application/json")

    return handle


class BrokenServer:
    """Takes connections, and answers each with the same bytes, or with none, before it closes."""

    def __init__(self, listener: socket.socket, answer: bytes | None) -> None:
        self._listener = listener
        self._answer = answer
        self._open: list[socket.socket] = []
        self.connections = 0
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take no more connections, and break those that hang."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for connection in self._open:
            connection.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            if self._answer is None:
                continue  # it hangs
            with contextlib.suppress(OSError):
                connection.recv(65_536)
                connection.sendall(self._answer)
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def broken_server(answer: bytes | None) -> Iterator[BrokenServer]:
    """A server that sends these bytes to whoever connects and closes; None: it keeps silent for ever."""
    server = BrokenServer(socket.create_server(("127.0.0.1", 0)), answer)
    try:
        yield server
    finally:
        server.close()
