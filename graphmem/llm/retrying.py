"""A wrapper that tries again what may pass: exponential backoff with jitter, within bounds.

Time, sleep and chance are arguments, so that tests wait for nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from graphmem.errors import ModelUnavailableError
from graphmem.ports.language_model import LanguageModel, ModelReply, ModelRequest, forget_reply
from graphmem.ports.model_usage import Usage, usage_of


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to try."""

    attempts: int = 4
    """Of one request, the first one included; at least 1."""
    first_wait_seconds: float = 1.0
    """Backoff before the second attempt, doubled before each further one."""
    max_wait_seconds: float = 30.0
    """Longest wait before an attempt; a service that asks for a longer one is given up at once."""
    max_total_seconds: float = 120.0
    """No attempt begins later after the first one; one that runs by then still ends, by its own timeout."""

    def backoff(self, failed: int, chance: float) -> float:
        """Seconds to wait after so many failed attempts: half of it fixed, half by chance.

        Args:
            failed: Attempts so far, at least 1.
            chance: 0 to 1.
        """
        full = min(self.first_wait_seconds * 2.0 ** (failed - 1), self.max_wait_seconds)
        return full * (0.5 + chance / 2)


_POLICY = RetryPolicy()


class RetryingModel:
    """A model that is asked again while it is unavailable, and only then."""

    def __init__(
        self,
        inner: LanguageModel,
        policy: RetryPolicy = _POLICY,
        *,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        """Wrap a model.

        Args:
            inner: The model that does the work.
            policy: Bounds.
            sleep: Waits for so many seconds.
            chance: A number from 0 to 1, for the jitter.
            elapsed: Seconds since some moment; never goes backwards.
        """
        self._inner = inner
        self._policy = policy
        self._sleep = sleep
        self._chance = chance
        self._elapsed = elapsed

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._inner.name

    @property
    def used(self) -> Usage:
        """The wrapped model's: each attempt is a call."""
        return usage_of(self._inner)

    def forget(self, request: ModelRequest) -> None:
        """Pass it on."""
        forget_reply(self._inner, request)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request; see the port.

        Raises:
            ModelUnavailableError: After the last attempt, with what the service said last.
        """
        begun = self._elapsed()
        failed = 0
        while True:
            try:
                return self._inner.complete(request)
            except ModelUnavailableError as error:
                failed += 1
                wait = self._wait(failed, error.retry_after)
                reason = self._reason_to_stop(failed, wait, self._elapsed() - begun)
                if reason is not None:
                    raise ModelUnavailableError(f"{error}; {reason}", retry_after=error.retry_after) from error
                self._sleep(wait)

    def _wait(self, failed: int, retry_after: float | None) -> float:
        # never sooner than asked, never in step with others that were turned away at the same moment
        return max(self._policy.backoff(failed, self._chance()), retry_after or 0.0)

    def _reason_to_stop(self, failed: int, wait: float, elapsed: float) -> str | None:
        policy = self._policy
        if failed >= policy.attempts:
            return f"given up after {failed} attempt{'s' if failed > 1 else ''}"
        if wait > policy.max_wait_seconds:
            return f"it asks to wait {wait:,.0f} s, which is more than {policy.max_wait_seconds:,.0f} s"
        if elapsed + wait > policy.max_total_seconds:
            return f"given up after {elapsed:,.0f} s and {failed} attempts"
        return None
