"""A wrapper that remembers replies by content, so that the same request is sent once.

In the memory of this process alone, and bounded: nothing is written anywhere, so that erasing a store
leaves no reply behind on a disk.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict, replace
from hashlib import blake2b
from threading import Lock

from graphmem.models.fields import canonical_json
from graphmem.ports.language_model import LanguageModel, ModelReply, ModelRequest, forget_reply
from graphmem.ports.model_usage import Usage, usage_of


class CachedModel:
    """A model with a bounded memory of its latest replies.

    Keys are hashes of model and request: what was sent is not kept. Errors are not remembered. Threads
    that send the same new request at the same time may each have it answered.
    """

    def __init__(self, inner: LanguageModel, capacity: int = 1_000) -> None:
        """Wrap a model.

        Args:
            inner: The model that does the work.
            capacity: Most replies kept, at least 1; 1,000 are a few megabytes.
        """
        self._inner = inner
        self._capacity = capacity
        self._replies: OrderedDict[bytes, ModelReply] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._inner.name

    @property
    def used(self) -> Usage:
        """The wrapped model's: an answer from here is no call."""
        return usage_of(self._inner)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request; see the port. A reply from memory has cost no tokens and says so."""
        key = self._key(request)
        with self._lock:
            known = self._replies.get(key)
            if known is not None:
                self._replies.move_to_end(key)
                return replace(known, input_tokens=0, output_tokens=0)
        reply = self._inner.complete(request)
        with self._lock:
            self._replies[key] = reply
            while len(self._replies) > self._capacity:
                self._replies.popitem(last=False)
        return reply

    def forget(self, request: ModelRequest) -> None:
        """Drop the reply to a request: one that cannot be read would be read in vain again."""
        with self._lock:
            self._replies.pop(self._key(request), None)
        forget_reply(self._inner, request)

    def clear(self) -> None:
        """Drop all replies."""
        with self._lock:
            self._replies.clear()

    def _key(self, request: ModelRequest) -> bytes:
        content = canonical_json([self.name, asdict(request)])
        return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()
