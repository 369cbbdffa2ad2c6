"""The client for asyncio. Requests run in threads: the standard library has no asynchronous HTTP client."""

from __future__ import annotations

import asyncio
from functools import wraps
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Optional, TypeVar

from ._client import Kiln

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    _Arguments = ParamSpec("_Arguments")

_Result = TypeVar("_Result")


def _in_thread(
    method: Callable[Concatenate[Kiln, _Arguments], _Result],
) -> Callable[Concatenate[AsyncKiln, _Arguments], Coroutine[Any, Any, _Result]]:
    """The method of Kiln as a coroutine, with the same arguments."""

    @wraps(method)
    async def run(self: AsyncKiln, *args: Any, **keywords: Any) -> _Result:
        return await asyncio.to_thread(method, self._kiln, *args, **keywords)

    return run


class AsyncKiln:
    """A Kiln service, as one account sees it. The methods of Kiln, as coroutines."""

    def __init__(self, base_url: Optional[str] = None, api_key: Optional[str] = None, *, max_retries: int = 3) -> None:
        self._kiln = Kiln(base_url, api_key, max_retries=max_retries)

    @property
    def base_url(self) -> str:
        return self._kiln.base_url

    formats = _in_thread(Kiln.formats)
    describe = _in_thread(Kiln.describe)
    usage = _in_thread(Kiln.usage)
    submit = _in_thread(Kiln.submit)
    upload = _in_thread(Kiln.upload)
    get = _in_thread(Kiln.get)
    wait = _in_thread(Kiln.wait)
    download = _in_thread(Kiln.download)
    report = _in_thread(Kiln.report)
    delete = _in_thread(Kiln.delete)
    convert = _in_thread(Kiln.convert)
    convert_bytes = _in_thread(Kiln.convert_bytes)
