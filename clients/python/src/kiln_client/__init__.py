"""Client of Kiln, a file conversion service."""

from ._async import AsyncKiln
from ._client import Kiln
from ._types import Event, Job, Pair, Submitted
from .errors import (
    BadRequestError,
    ClientPairError,
    ConnectionError,
    ConversionFailedError,
    ForbiddenError,
    IdempotencyMismatchError,
    KilnError,
    NotFoundError,
    OutputExpiredError,
    RateLimitedError,
    RequireCreditsError,
    ServiceError,
    TimeoutError,
    TooLargeError,
    UnauthenticatedError,
    UnknownPairError,
    WebhookError,
)
from .webhook import verify_webhook

__all__ = [
    "AsyncKiln",
    "BadRequestError",
    "ClientPairError",
    "ConnectionError",
    "ConversionFailedError",
    "Event",
    "ForbiddenError",
    "IdempotencyMismatchError",
    "Job",
    "Kiln",
    "KilnError",
    "NotFoundError",
    "OutputExpiredError",
    "Pair",
    "RateLimitedError",
    "RequireCreditsError",
    "ServiceError",
    "Submitted",
    "TimeoutError",
    "TooLargeError",
    "UnauthenticatedError",
    "UnknownPairError",
    "WebhookError",
    "verify_webhook",
]
