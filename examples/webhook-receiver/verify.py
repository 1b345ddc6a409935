"""Checks the signature of a callback, with Python's standard library only.

    payload = verify(secret, request.headers, request.get_data())

By itself it reads a body on stdin, with the headers and the secret in the environment:

    WEBHOOK_SECRET=whsec_... WEBHOOK_ID=... WEBHOOK_TIMESTAMP=... WEBHOOK_SIGNATURE=... python3 verify.py < body.json
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import sys
import time


class NotVerified(Exception):
    pass


def verify(secret, headers, body, tolerance_s=300):
    """The payload if `secret` (whsec_...) signed exactly these bytes lately. `body` is bytes, as they came in."""
    headers = {name.lower(): value for name, value in headers.items()}
    try:
        message_id = headers["webhook-id"]
        timestamp = headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
        sent_s = int(timestamp)
    except (KeyError, ValueError) as error:
        raise NotVerified(f"a header is missing or wrong: {error}") from error
    if abs(time.time() - sent_s) > tolerance_s:
        raise NotVerified("the time is too far from now")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    for entry in signatures.split(" "):
        version, _, text = entry.partition(",")
        try:
            given = base64.b64decode(text, validate=True)
        except binascii.Error:
            continue
        if version == "v1" and hmac.compare_digest(given, expected):
            return json.loads(body)
    raise NotVerified("no signature matches")


if __name__ == "__main__":
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    given = {name: os.environ.get(name.upper().replace("-", "_"), "") for name in names}
    try:
        print(json.dumps(verify(os.environ["WEBHOOK_SECRET"], given, sys.stdin.buffer.read())))
    except NotVerified as error:
        sys.exit(f"not verified: {error}")
