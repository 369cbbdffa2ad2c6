"""The synchronous client."""

from __future__ import annotations

import io
import json
import os
import time
import uuid
from pathlib import Path
from typing import IO, Any, Callable, Mapping, Optional, TypeVar, Union, cast
from urllib.parse import quote, urlsplit

from ._http import Deadline, Response, is_worth_retrying, pause_before, request
from ._types import Job, Pair, Submitted
from .errors import ConversionFailedError, KilnError, NotFoundError, OutputExpiredError

_Result = TypeVar("_Result")
_QUESTION_SECONDS = 60.0
_CONVERSION_SECONDS = 3600.0
_LONGEST_WAIT = 25

#: Names of formats whose files have another ending.
_FORMATS = {"tex": "latex", "htm": "html", "markdown": "md", "mpg": "mpeg"}


class Kiln:
    """A Kiln service, as one account sees it. Every failure is a KilnError."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        max_retries: int = 3,
    ) -> None:
        url = base_url or os.environ.get("KILN_URL") or "http://localhost:8080/api"
        self.base_url = url.rstrip("/")
        self._api_key = api_key or os.environ.get("KILN_API_KEY")
        self._max_retries = max_retries

    def formats(self, *, timeout: float = _QUESTION_SECONDS) -> list[Pair]:
        """The pairs that the service converts. Needs no key."""
        return cast("list[Pair]", self._ask("GET", "/v1/formats", timeout)["pairs"])

    def describe(self, pair: str, *, timeout: float = _QUESTION_SECONDS) -> dict[str, Any]:
        """A pair and its options, as a JSON Schema. Needs no key."""
        return self._ask("GET", f"/v1/formats/{quote(pair, safe='')}", timeout)

    def usage(self, *, timeout: float = _QUESTION_SECONDS) -> dict[str, Any]:
        """What the account has used this month, and what is left."""
        return self._ask("GET", "/v1/usage", timeout)

    def submit(
        self,
        pair: str,
        size: int,
        *,
        options: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        timeout: float = _QUESTION_SECONDS,
    ) -> Submitted:
        """Declares a conversion. The job waits for its upload."""
        body: dict[str, Any] = {"pair": pair, "bytes": size}
        if options is not None:
            body["options"] = dict(options)
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return cast(Submitted, self._ask("POST", "/v1/conversions", timeout, body=body, headers=headers))

    def upload(self, job: Submitted, data: Union[bytes, IO[bytes]], size: int, *, timeout: float = _CONVERSION_SECONDS) -> None:
        """Sends the file of a submitted job."""
        start = 0 if isinstance(data, bytes) else data.tell()

        def send(deadline: Deadline) -> None:
            if not isinstance(data, bytes):
                data.seek(start)
            headers = {"content-length": str(size)}
            request("PUT", job["uploadUrl"], deadline, headers=headers, body=data).read()

        self._retried(Deadline(timeout), send)

    def get(self, job_id: str, *, timeout: float = _QUESTION_SECONDS) -> Job:
        """The job as it is now."""
        return cast(Job, self._ask("GET", self._path(job_id), timeout))

    def wait(self, job_id: str, *, timeout: float = _CONVERSION_SECONDS) -> Job:
        """Waits until the job is done or failed, and returns it either way."""
        deadline = Deadline(timeout)
        while True:
            seconds = max(1, min(_LONGEST_WAIT, int(deadline.remaining())))
            headers = {"prefer": f"wait={seconds}"}
            job = cast(Job, self._ask("GET", self._path(job_id), deadline.remaining(), headers=headers))
            if job["status"] in ("done", "failed"):
                return job

    def download(self, job: Job, target: Union[str, Path, IO[bytes]], *, timeout: float = _CONVERSION_SECONDS) -> int:
        """Saves the output of a job that is done; returns its number of bytes."""
        url = job["downloadUrl"]
        if url is None:
            raise OutputExpiredError("output-expired", "The output of this job was deleted.", job_id=job["jobId"])
        deadline = Deadline(timeout)
        response: Response = self._retried(deadline, lambda left: request("GET", url, left))
        if not isinstance(target, (str, Path)):
            return response.save(target, deadline)
        # The file appears whole or not at all.
        part = Path(f"{target}.{uuid.uuid4().hex}.part")
        try:
            with part.open("xb") as file:
                written = response.save(file, deadline)
            part.replace(target)
            return written
        finally:
            part.unlink(missing_ok=True)

    def report(self, job_id: str, *, timeout: float = _QUESTION_SECONDS) -> dict[str, Any]:
        """What was seen and done, of a job that has ended."""
        return self._ask("GET", f"{self._path(job_id)}/report", timeout)

    def delete(self, job_id: str, *, timeout: float = _QUESTION_SECONDS) -> None:
        """Cancels a job that waits or runs, and deletes its files."""
        self._retried(Deadline(timeout), lambda left: self._send("DELETE", self._path(job_id), left).read())

    def convert(
        self,
        source: Union[str, Path],
        output: Union[str, Path],
        *,
        pair: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None,
        timeout: float = _CONVERSION_SECONDS,
    ) -> Job:
        """Converts a file. Without `pair` the formats come from the names of both files."""
        slug = pair or f"{_format_of(source)}-to-{_format_of(output)}"
        with Path(source).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            return self._convert(slug, file, size, output, options, Deadline(timeout))

    def convert_bytes(
        self,
        data: bytes,
        pair: str,
        *,
        options: Optional[Mapping[str, Any]] = None,
        timeout: float = _CONVERSION_SECONDS,
    ) -> bytes:
        """Converts a file in memory."""
        target = io.BytesIO()
        self._convert(pair, data, len(data), target, options, Deadline(timeout))
        return target.getvalue()

    def _convert(
        self,
        pair: str,
        data: Union[bytes, IO[bytes]],
        size: int,
        output: Union[str, Path, IO[bytes]],
        options: Optional[Mapping[str, Any]],
        deadline: Deadline,
    ) -> Job:
        submitted = self.submit(pair, size, options=options, timeout=deadline.remaining())
        job_id = submitted["jobId"]
        try:
            self.upload(submitted, data, size, timeout=deadline.remaining())
            job = self.wait(job_id, timeout=deadline.remaining())
            if job["status"] == "failed":
                raise ConversionFailedError(job["error"] or "internal", job_id=job_id, report=self._report_of(job_id))
            self.download(job, output, timeout=deadline.remaining())
            return job
        except KilnError as error:
            error.job_id = job_id
            raise

    def _report_of(self, job_id: str) -> Optional[dict[str, Any]]:
        try:
            return self.report(job_id)
        except NotFoundError:
            return None

    @staticmethod
    def _path(job_id: str) -> str:
        return f"/v1/conversions/{quote(job_id, safe='')}"

    def _ask(
        self,
        method: str,
        path: str,
        timeout: float,
        *,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> dict[str, Any]:
        def ask(deadline: Deadline) -> dict[str, Any]:
            return cast("dict[str, Any]", json.loads(self._send(method, path, deadline, body, headers).read()))

        return self._retried(Deadline(timeout), ask)

    def _send(
        self,
        method: str,
        path: str,
        deadline: Deadline,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Response:
        sent = dict(headers or {})
        if self._api_key:
            sent["authorization"] = f"Bearer {self._api_key}"
        if body is not None:
            sent["content-type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        return request(method, self.base_url + path, deadline, headers=sent, body=data)

    def _retried(self, deadline: Deadline, attempt: Callable[[Deadline], _Result]) -> _Result:
        """Every operation may be repeated: a submit carries its key, an upload replaces itself, the rest reads."""
        tries = 1
        while True:
            try:
                return attempt(deadline)
            except KilnError as error:
                pause = pause_before(tries, error.retry_after)
                if not is_worth_retrying(error) or tries > self._max_retries or pause >= deadline.remaining():
                    raise
            time.sleep(pause)
            tries += 1


def _format_of(path: Union[str, Path]) -> str:
    ending = Path(urlsplit(str(path)).path if "://" in str(path) else path).suffix[1:].lower()
    if not ending:
        raise KilnError("invalid-options", f"The name {Path(path).name} has no ending. Name the pair, such as docx-to-pdf.")
    return _FORMATS.get(ending, ending)
