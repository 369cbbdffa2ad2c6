"""HTTP requests with the standard library: one connection for each, retried where a repeat is safe."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import time
from typing import IO, Any, Mapping, Optional, Union
from urllib.parse import urlsplit

from .errors import ConnectionError, KilnError, TimeoutError, error_for

_RETRIED = {"connection", "internal", "rate-limited", "request-timeout", "unavailable"}
_LONGEST_RETRY_AFTER = 60.0
_CHUNK = 256 * 1024


class Deadline:
    """The moment at which a call gives up."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timeout", "The time for this call is over.")
        return left


class Response:
    """Status, headers and a body that is still to be read."""

    def __init__(self, answer: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> None:
        self.status = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self._answer = answer
        self._connection = connection

    def read(self) -> bytes:
        try:
            return self._answer.read()
        finally:
            self._connection.close()

    def save(self, target: IO[bytes], deadline: Deadline) -> int:
        written = 0
        try:
            while chunk := self._answer.read(_CHUNK):
                deadline.remaining()
                target.write(chunk)
                written += len(chunk)
            return written
        finally:
            self._connection.close()


def request(
    method: str,
    url: str,
    deadline: Deadline,
    *,
    headers: Optional[Mapping[str, str]] = None,
    body: Union[bytes, IO[bytes], None] = None,
) -> Response:
    """One request. An answer that is an error is raised."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise KilnError("invalid-options", f"{parts.scheme}://{parts.netloc} is no address of a service.")
    left = deadline.remaining()
    connection: http.client.HTTPConnection = (
        http.client.HTTPSConnection(parts.hostname, parts.port, timeout=left, context=ssl.create_default_context())
        if secure
        else http.client.HTTPConnection(parts.hostname, parts.port, timeout=left)
    )
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(method, path, body=body, headers=dict(headers or {}))
        response = Response(connection.getresponse(), connection)
    except socket.timeout as error:
        connection.close()
        raise TimeoutError("timeout", "The service did not answer in time.") from error
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise ConnectionError("connection", f"The service cannot be reached: {error}") from error
    if response.status >= 400:
        raise _error_of(response)
    return response


def _error_of(response: Response) -> KilnError:
    try:
        answer: Any = json.loads(response.read())
        code, message = str(answer["code"]), str(answer["error"])
    except (ValueError, KeyError, TypeError):
        code, message = "unexpected-answer", f"The service answered with status {response.status}."
    retry = response.headers.get("retry-after", "")
    return error_for(
        code,
        message,
        status=response.status,
        request_id=response.headers.get("request-id"),
        retry_after=float(retry) if retry.isdigit() else None,
    )


def pause_before(tries: int, retry_after: Optional[float]) -> float:
    """Seconds before the next try: what the service says, else half a second, doubled up to eight, with jitter."""
    if retry_after is not None and 0 < retry_after <= _LONGEST_RETRY_AFTER:
        return retry_after
    return min(8.0, 0.5 * 2.0 ** (tries - 1)) * (1 - random.random() / 2)


def is_worth_retrying(error: KilnError) -> bool:
    return error.code in _RETRIED
