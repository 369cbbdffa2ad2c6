"""Errors of the client. Every one is a KilnError; `code` is what to branch on."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class KilnError(Exception):
    """A request that was refused, failed or was not answered."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        job_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        #: HTTP status of the answer; None when there was none.
        self.status = status
        #: What the service calls this request in its log.
        self.request_id = request_id
        #: Seconds after which a new try makes sense, if the service said so.
        self.retry_after = retry_after
        #: The job that was under way, once there was one.
        self.job_id = job_id


class BadRequestError(KilnError):
    """The request is malformed."""


class UnknownPairError(KilnError):
    """The service does not offer the pair."""


class ClientPairError(KilnError):
    """Browsers do this conversion themselves."""


class UnauthenticatedError(KilnError):
    """The API key is missing or not valid."""


class RequireCreditsError(KilnError):
    """The free conversions are used up, and the account has too few credits."""


class ForbiddenError(KilnError):
    """The job belongs to another account."""


class NotFoundError(KilnError):
    """There is no such job."""


class TooLargeError(KilnError):
    """The file exceeds the cap of its pair."""


class IdempotencyMismatchError(KilnError):
    """The idempotency key was used for another request."""


class RateLimitedError(KilnError):
    """Too many requests; `retry_after` is the wait in seconds."""


class ServiceError(KilnError):
    """The service failed or is unavailable."""


class ConnectionError(KilnError):
    """The service cannot be reached."""


class TimeoutError(KilnError):
    """The time that the caller has given is over."""


class OutputExpiredError(KilnError):
    """The output was deleted."""


class WebhookError(KilnError):
    """The request is not from the service, or too old, or it was changed."""


class ConversionFailedError(KilnError):
    """The job ended as failed. `reason` is one of the service's list, `report` has the findings."""

    def __init__(self, message: str, *, job_id: str, report: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__("conversion-failed", message, job_id=job_id)
        self.reason = message.split(":", 1)[0]
        self.report = report


_classes: Mapping[str, type[KilnError]] = {
    "bad-request": BadRequestError,
    "unknown-pair": UnknownPairError,
    "client-pair": ClientPairError,
    "unauthenticated": UnauthenticatedError,
    "require-credits": RequireCreditsError,
    "forbidden": ForbiddenError,
    "not-found": NotFoundError,
    "too-large": TooLargeError,
    "idempotency-mismatch": IdempotencyMismatchError,
    "rate-limited": RateLimitedError,
    "internal": ServiceError,
    "unavailable": ServiceError,
}


def error_for(code: str, message: str, **facts: Any) -> KilnError:
    """The error of an answer, in the class of its code."""
    return _classes.get(code, KilnError)(code, message, **facts)
