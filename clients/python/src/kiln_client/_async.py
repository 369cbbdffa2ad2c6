"""The client for asyncio. Requests run in threads, which the standard library has no other way to do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import IO, Any, Mapping, Optional, Union

from ._client import Kiln
from ._types import Job, Pair, Submitted


class AsyncKiln:
    """A Kiln service, as one account sees it. The methods of Kiln, as coroutines."""

    def __init__(self, base_url: Optional[str] = None, api_key: Optional[str] = None, *, max_retries: int = 3) -> None:
        self._kiln = Kiln(base_url, api_key, max_retries=max_retries)

    @property
    def base_url(self) -> str:
        return self._kiln.base_url

    async def formats(self) -> list[Pair]:
        return await asyncio.to_thread(self._kiln.formats)

    async def describe(self, pair: str) -> dict[str, Any]:
        return await asyncio.to_thread(self._kiln.describe, pair)

    async def usage(self) -> dict[str, Any]:
        return await asyncio.to_thread(self._kiln.usage)

    async def submit(
        self,
        pair: str,
        size: int,
        *,
        options: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Submitted:
        return await asyncio.to_thread(
            self._kiln.submit, pair, size, options=options, idempotency_key=idempotency_key
        )

    async def upload(self, job: Submitted, data: Union[bytes, IO[bytes]], size: int) -> None:
        await asyncio.to_thread(self._kiln.upload, job, data, size)

    async def get(self, job_id: str) -> Job:
        return await asyncio.to_thread(self._kiln.get, job_id)

    async def wait(self, job_id: str, *, timeout: float = 3600.0) -> Job:
        return await asyncio.to_thread(self._kiln.wait, job_id, timeout=timeout)

    async def download(self, job: Job, target: Union[str, Path, IO[bytes]]) -> int:
        return await asyncio.to_thread(self._kiln.download, job, target)

    async def report(self, job_id: str) -> dict[str, Any]:
        return await asyncio.to_thread(self._kiln.report, job_id)

    async def delete(self, job_id: str) -> None:
        await asyncio.to_thread(self._kiln.delete, job_id)

    async def convert(
        self,
        source: Union[str, Path],
        output: Union[str, Path],
        *,
        pair: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None,
        timeout: float = 3600.0,
    ) -> Job:
        return await asyncio.to_thread(
            self._kiln.convert, source, output, pair=pair, options=options, timeout=timeout
        )

    async def convert_bytes(
        self, data: bytes, pair: str, *, options: Optional[Mapping[str, Any]] = None, timeout: float = 3600.0
    ) -> bytes:
        return await asyncio.to_thread(self._kiln.convert_bytes, data, pair, options=options, timeout=timeout)
