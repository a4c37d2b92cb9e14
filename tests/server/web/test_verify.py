"""Checking a record on the web."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from server.limits import LARGEST_RECORD_ON_WEB, MOST_CHECKED_AT_ONCE, MOST_TURNS_ON_WEB
from server.web.verify import checking
from tests.support.server.games import submit
from tests.support.web.client import Browser, readable
from tests.support.web.games import Match


@pytest.fixture
def record(open_game: Match) -> str:
    """The record of a running game."""
    for seat, text in [(0, "c3"), (1, "a1"), (0, "e5")]:
        submit(open_game.services, open_game.number, seat, text)
    return open_game.browsers[0].get(f"{open_game.address}/record.json").text


def check(app: Flask, record: str | bytes, heads: str = "") -> TestResponse:
    """Check a record without a login, uploaded or pasted, and return the response."""
    browser = Browser(app)
    if isinstance(record, bytes):
        return browser.send("/verify", file=(BytesIO(record), "nabu-1.json"), record="", heads=heads)
    return browser.send("/verify", record=record, heads=heads)


def test_record_is_checked_pasted_or_as_a_file(app: Flask, record: str) -> None:
    for sent in (record, record.encode()):
        answer = check(app, sent)
        assert answer.status_code == 200
        assert "This record is valid." in readable(answer)
        assert "✓ log: 4 entries" in readable(answer)


def test_record_is_compared_with_the_proof_of_an_email(app: Flask, open_game: Match, record: str) -> None:
    assert "Up to entry 4, the log is the same" in readable(check(app, record, open_game.game().head.upper()))
    assert "✗ heads: No entry has the hash" in readable(check(app, record, "0" * 64))


def test_error_is_shown_after_the_passed_checks(app: Flask, record: str) -> None:
    answer = check(app, record.replace('"e5"', '"d5"', 1))
    said = readable(answer)
    assert "This record is not valid." in said
    assert "✗ record: Turn 3 of the record does not match its log." in said
    assert "✓ log" in said


@pytest.mark.parametrize(
    ("record", "heads", "problem"),
    [
        ("", "", "There is no record:"),
        (b" \n", "", "There is no record:"),
        (b"\xff\xfe", "", "not UTF-8 text"),
        ("{}", "12 entries", "is not a head"),
    ],
)
def test_unverifiable_input_is_refused(app: Flask, record: str | bytes, heads: str, problem: str) -> None:
    answer = check(app, record, heads)
    assert answer.status_code == 422
    assert problem in readable(answer)


def test_other_text_is_reported_as_no_record(app: Flask) -> None:
    assert '✗ form: "format" must be "nabu-record/1", not null.' in readable(check(app, "{}"))


@pytest.mark.parametrize("sent", ["x" * LARGEST_RECORD_ON_WEB, b"x" * LARGEST_RECORD_ON_WEB])
def test_too_long_record_is_refused(app: Flask, sent: str | bytes) -> None:
    answer = check(app, sent)
    assert answer.status_code == 413
    assert "This page checks records of at most 500,000 bytes." in readable(answer)
    assert "For larger ones, use “nabu verify” on your own machine." in readable(answer)


def test_record_with_too_many_turns_is_not_checked_on_the_web(app: Flask) -> None:
    turns = [{"seat": 0, "move": "1/2", "dice": [1, 2]}] * (MOST_TURNS_ON_WEB + 1)
    record = json.dumps({"format": "nabu-record/1", "game": "nardshir", "turns": turns})
    said = readable(check(app, record))
    assert (
        f"It has 1001 turns; at most {MOST_TURNS_ON_WEB} are checked here. `nabu verify` checks more." in said
    )


def test_number_of_simultaneous_checks_is_limited(app: Flask, record: str) -> None:
    for _ in range(MOST_CHECKED_AT_ONCE):
        assert checking.acquire(blocking=False)
    try:
        answer = check(app, record)
    finally:
        checking.release(MOST_CHECKED_AT_ONCE)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "Too many records are being checked at the moment; try again in a few seconds." in readable(answer)
    assert check(app, record).status_code == 200


def test_record_may_be_longer_than_other_forms(app: Flask, record: str) -> None:
    assert "This record is valid" in readable(check(app, record + " " * (LARGEST_RECORD_ON_WEB - 10_000)))


def test_content_of_a_record_is_escaped(app: Flask, record: str) -> None:
    answer = check(app, record.replace('"Ann"', '"<b>Ann</b>"'))
    assert "<b>Ann" not in answer.text


def test_explanation_of_verification_is_shown(app: Flask) -> None:
    said = Browser(app).text("/verify/how")
    assert "You do not have to trust this server." in said
    assert "HMAC-SHA256" in said
