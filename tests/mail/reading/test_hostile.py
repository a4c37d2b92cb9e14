"""Emails made to break a reader: none may raise, and none may take long."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reading.message import read
from mail.reading.quoting import split
from tests.support.examples import examples
from tests.support.folders import MAILS
from tests.support.mail.hostile_emails import HOSTILE

pytestmark = pytest.mark.slow

SAMPLES = [path.read_bytes() for path in sorted((MAILS / "in").glob("*.eml"))]


@pytest.fixture(scope="module")
def spent() -> dict[str, tuple[float, float]]:
    """Return the seconds and megabytes that reading each email takes, measured in a separate process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.mail.hostile_emails"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, tuple[float, float]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_email_takes_little_time_and_memory(name: str, spent: dict[str, tuple[float, float]]) -> None:
    seconds, megabytes = spent[name]
    assert seconds < 5  # of processor time; all take less than one on an idle machine
    assert megabytes < 200


@pytest.mark.parametrize("mail_from", [None, "", "a@b.org"])
@pytest.mark.parametrize("raw", [b"", b"\n", b"\0", b"\r", b":", b"\xff\xfe", b"From:", b"\n\n\n\n", b" \n \n"])
def test_almost_empty_email_is_read_as_empty(raw: bytes, mail_from: str | None) -> None:
    reading = read(raw, mail_from=mail_from)
    assert (reading.sender, reading.message_id, reading.recipients) == ("", "", ())


@given(st.binary(max_size=2000))
def test_any_bytes_can_be_read(raw: bytes) -> None:
    assert read(raw).kind in ("reply", "auto", "list", "bounce", "loop")


@examples(150)
@given(
    sample=st.sampled_from(SAMPLES),
    other=st.sampled_from(SAMPLES),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=12)), max_size=6),
    join=st.floats(0, 1),
)
def test_damaged_emails_can_be_read(
    sample: bytes, other: bytes, cuts: list[tuple[float, bytes]], join: float
) -> None:
    for where, what in cuts:
        place = int(where * len(sample))
        sample = sample[:place] + what + sample[place + len(what) :]
    place = int(join * len(sample))
    reading = read(
        sample[:place] + other[place:], own="play@games.example", sent=["one line of an email from Nabu"]
    )
    reading.text.encode()
    reading.raw_text.encode()
    f"{reading.author}{reading.message_id}{reading.subject}{reading.recipients}".encode()


@given(st.text(st.sampled_from("ab:@> \n-_#*1.2")), st.text(st.sampled_from("ab:@> \n-_#*1.2")))
def test_no_line_is_lost_or_invented(text: str, ours: str) -> None:
    written = split(text, [ours])
    parted = f"{written.text}\n{written.below}\n{written.rest}".split()
    assert sorted(parted) == sorted(text.split())
