"""What every adapter of an OpenAI-compatible service does alike: connect, and put its faults into our words.

Leaves out what is asked of the service. Its own words are never part of an error: they may repeat the
key or the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from graphmem.errors import ModelError, ModelUnavailableError

if TYPE_CHECKING:
    import openai

NO_KEY = "none"
"""Sent to a given base URL when there is no key: local servers look at none, the client wants one."""


def connect(api_key: str | None, options: Mapping[str, Any]) -> openai.OpenAI:
    """A client of the service; nothing is asked of it yet.

    Args:
        api_key: None: OPENAI_API_KEY, else no key where a base URL is given.
        options: Of the client; None: not given.

    Raises:
        ModelError: The package is not installed, or there is neither key nor base URL.
    """
    try:
        import openai  # noqa: PLC0415 (half a second that other models can spare)
    except ImportError as error:
        raise ModelError("this model needs the package openai: pip install 'graphmem[openai]'") from error
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return openai.OpenAI(api_key=api_key, **given)
    except openai.OpenAIError:
        if "base_url" in given:
            return openai.OpenAI(api_key=NO_KEY, **given)
        raise ModelError(
            "the OpenAI service has no key: set OPENAI_API_KEY, or a base URL when the server needs none"
        ) from None


def host(client: openai.OpenAI) -> str:
    """Host and port of the service, without what a URL may hold of user and password."""
    parts = urlsplit(str(client.base_url))
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def translated(
    error: Exception, what: str, *, check: str, unreadable: type[ModelError] = ModelError
) -> ModelError:
    """The error of ours that a fault of the client is; raise it `from None`.

    Args:
        error: Of the package openai, or the ValueError of an answer that is no JSON.
        what: Model and host, as the message names them.
        check: What to look at when the service refuses the request.
        unreadable: The error of an answer that cannot be read.
    """
    import openai  # noqa: PLC0415 (loaded by now)

    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailableError(f"{what} did not answer in time; try again, or raise the timeout")
    if isinstance(error, openai.APIConnectionError):
        return ModelUnavailableError(f"{what} cannot be reached; check the base URL and the network")
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, what, check)
    return unreadable(f"{what} gave an answer that cannot be read; is the base URL that of an OpenAI API?")


def _of_status(error: openai.APIStatusError, what: str, check: str) -> ModelError:
    status = error.status_code
    retry_after = seconds_to_wait(error.response.headers)
    if status == 429 and error.code == "insufficient_quota":
        return ModelError(f"{what}: the account's quota is used up; waiting does not help")
    if status == 429:
        return ModelUnavailableError(
            f"{what} limits the rate of requests; wait and try again",
            retry_after=seconds_to_wait(error.response.headers),
        )
    if status in {408, 409} or status >= 500:
        return ModelUnavailableError(f"{what} failed with status {status}; try again", retry_after=retry_after)
    if status in {401, 403}:
        return ModelError(
            f"{what} refuses the key (status {status}); check OPENAI_API_KEY, or the key set for it alone"
        )
    if status == 404:
        return ModelError(f"{what} does not exist (status 404); check the model's name and the base URL")
    return ModelError(f"{what} refuses the request (status {status}); check {check}")


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, 0 or more; None when it is missing or malformed.

    Its other form, a date, is measured from the answer's own Date: the service's clock wrote both.
    """
    header = headers.get("retry-after", "")
    try:
        seconds = float(header)
    except ValueError:
        return _seconds_until(header, headers.get("date", ""))
    return max(seconds, 0.0) if seconds < float("inf") else None


def _seconds_until(moment: str, now: str) -> float | None:
    try:
        return max((parsedate_to_datetime(moment) - parsedate_to_datetime(now)).total_seconds(), 0.0)
    except (TypeError, ValueError, OverflowError):  # no date, or one without a zone
        return None
