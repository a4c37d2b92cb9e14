"""Reports to Sentry contain the place of an error, and no text of players."""

from __future__ import annotations

import subprocess
import sys
import zlib

import pytest

from tests.support.web.webhook_receiver import webhook_receiver

pytestmark = pytest.mark.slow

FAILING = """
import logging, sys
import sentry_sdk
from server.monitoring.sentry import tell

tell(sys.argv[1], "worker")
secret = "b4 canary"

def fail(orders):
    raise ValueError(f"cannot read {orders}")

try:
    fail(secret)
except ValueError:
    logging.getLogger("server").exception("mail %s could not be handled: %s", 7, "550 canary@example.org")
sentry_sdk.flush()
"""


def sent(address: str) -> None:
    subprocess.run([sys.executable, "-c", FAILING, address], check=True, capture_output=True)


def test_error_is_reported_without_any_data() -> None:
    with webhook_receiver() as (port, posted):
        sent(f"http://key@127.0.0.1:{port}/1")
    [envelope] = [each if each.startswith(b"{") else zlib.decompress(each, 31) for each in posted]
    assert b"mail %s could not be handled: %s" in envelope
    assert b"ValueError" in envelope
    assert b'"function":"fail"' in envelope
    written = envelope.replace(b'secret = \\"b4 canary\\"', b"").replace(
        b'7, \\"550 canary@example.org\\"', b""
    )
    assert b"canary" not in written
    assert b"cannot read" not in envelope.replace(b'raise ValueError(f\\"cannot read', b"")
    assert b'"server_name":"worker"' in envelope


def test_nothing_is_reported_by_default() -> None:
    with webhook_receiver() as (_, posted):
        sent("")
    assert posted == []
