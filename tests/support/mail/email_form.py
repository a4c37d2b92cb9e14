"""Checks of every email: its form, for all email programs, and its thread."""

from __future__ import annotations

import re

from mail.reading.quoting import SENTINEL
from server.processes.services import Services
from server.store.letters.letter import LETTERS
from server.store.tokens import ReplyToken
from tests.support.mail.email_clients import check_html
from tests.support.server.emails import Written

PROOF = re.compile(r"Proof: \d+ [0-9a-f]{64}")
"""The only line that may be longer, so that it is not broken; within the 78 characters that all programs keep.
"""

_ANSWERS = ("answers", "confirmation", "game_assessed")


def check_form(written: Written) -> None:
    """Check the form that email programs, and people on their phones, need."""
    check_marker(written.letter, written.text, written.html)
    lines = written.text.removeprefix(SENTINEL).strip().splitlines()
    assert re.match(r"[A-Z#].*[\w.:!?)]", lines[0]), f"{written.letter} begins with {lines[0]!r}"
    wide = [line for line in lines if len(line) > 72 and "://" not in line and not PROOF.fullmatch(line)]
    assert wide == [], written.letter
    check_html(written.html)
    assert lines[0].split()[0] in written.html
    replied = LETTERS[written.letter].is_answer
    assert written.mail["Auto-Submitted"] == ("auto-replied" if replied else "auto-generated")
    assert "stop" in written.mail["List-Unsubscribe"]


def check_marker(letter: str, text: str, html: str) -> None:
    """Check that the line to write above is on each email that takes a reply, and on no other."""
    text = "\n".join(text.splitlines())
    marked = text.startswith(f"{SENTINEL}\n\n")
    assert marked == takes_reply(letter, text), f"{letter}: {text}"
    assert (text.count(SENTINEL), html.count(SENTINEL)) == (marked, marked), letter


def takes_reply(letter: str, text: str) -> bool:
    """Return whether an email takes a move or a command as its reply, as far as its text says.

    It is about one game, it names the address for commands, or it asks for a reply. Answers to commands take
    others, too.
    """
    above, _, foot = text.partition("\n--\n")
    asks = "play@" in above or re.search(r"\b[Rr]eply\b(?!\saddress|\s“\w+”\sto\sany\semail)", above)
    return 'reply "help"' in foot or bool(asks) or letter in _ANSWERS


def check_thread(services: Services, written: Written, number: int) -> None:
    """Check the thread: emails of a game have a fixed form of subject, one root, and a reply address of the
    game.
    """
    game = rf"[\w ]+ {number}"
    ways = rf"{game}: \w+ - .*|You won {game} against .*|\w+ won {game}|Not \w+: {game}"
    assert re.fullmatch(ways, written.mail["Subject"]), written.letter
    assert written.mail["References"].split()[0] == f"<game-{number}@games.example.org>"
    tag = written.mail["Reply-To"].partition("+")[2].partition("@")[0]
    token = services.tokens.read(tag)
    assert isinstance(token, ReplyToken)
    assert token.game == number
