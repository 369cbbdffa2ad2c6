"""Events of a service, signed after the Standard Webhooks convention."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Sequence, Union, cast

from ._types import Event
from .errors import KilnError, WebhookError

_MAX_SIGNATURES = 20


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
) -> Event:
    """The event of a request to your webhook, if the service has signed it.

    Give the body as it came, and all secrets that may be in use: while one is rotated there are two. Raises a
    WebhookError for everything else; answer that with 400.
    """
    found = {name.lower(): value for name, value in headers.items()}
    event_id = _header(found, "webhook-id")
    timestamp = _header(found, "webhook-timestamp")
    given = _header(found, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > tolerance:
        raise _refused(f"it was signed more than {tolerance:g} seconds ago or ahead. Is the clock right?")
    data = body.encode() if isinstance(body, str) else body
    content = f"{event_id}.{timestamp}.".encode() + data
    signatures = [each[3:] for each in given.split(" ")[:_MAX_SIGNATURES] if each.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        digest = hmac.new(_key(secret), content, hashlib.sha256).digest()
        expected = base64.b64encode(digest)
        if any(hmac.compare_digest(expected, each.encode()) for each in signatures):
            return cast(Event, {**json.loads(data), "id": event_id})
    raise _refused("no signature fits. Is the secret right, and is the body as it came?")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise _refused(f"it has no header {name}.")
    return value


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True) if secret.startswith("whsec_") else b""
    except binascii.Error:
        key = b""
    if not key:
        raise KilnError("invalid-options", "The secret of a webhook is whsec_ followed by base64.")
    return key


def _refused(reason: str) -> WebhookError:
    return WebhookError("invalid-webhook", f"This is not an event of the service: {reason}")
