"""What the service answers with."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict

JobStatus = Literal["queued", "processing", "done", "failed"]


class Pair(TypedDict):
    """A conversion that the service offers."""

    pair: str
    label: str
    freeMaxBytes: int
    freeMaxMB: int
    costCredits: int


class Submitted(TypedDict, total=False):
    """A job that waits for its upload."""

    jobId: str
    uploadUrl: str
    pollUrl: str
    idempotent: Optional[bool]


class Job(TypedDict):
    """A job as it is now."""

    jobId: str
    status: JobStatus
    downloadUrl: Optional[str]
    error: Optional[str]
    expiresAt: Optional[str]


class Event(TypedDict):
    """An event that a webhook receives."""

    id: str
    type: Literal["conversion.done", "conversion.failed"]
    timestamp: str
    data: dict[str, Any]
