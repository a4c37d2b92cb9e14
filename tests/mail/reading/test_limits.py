"""The limits of reading: as much of an email as people and programs write, and not more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mail.fields import Headers
from mail.reading.author import author_of
from mail.reading.bounces import gist, status
from mail.reading.classifying import says_away, says_reaction
from mail.reading.languages.absences import REACTED
from mail.reading.message import Reading, needs_sent_texts, read
from mail.reading.offices import is_disclaimer, is_label, is_signed
from mail.reading.parts import parse
from mail.reading.quoting import SENTINEL, split
from mail.reading.spelling import comparable, plain_line

_TO_BEN = "From: Ben <ben@example.org>\nSubject: Re: Nibble 17\n"
_REPORT = "From: mailer-daemon@example.org\nContent-Type: multipart/report; boundary=b\n\n--b\n\nSorry.\n--b\n"
_SENT = "It is your turn in the game of Nibble with Ben"
_FAILED = "Final-Recipient: rfc822; a{}@b.org\nAction: failed\nStatus: 5.1.1\n"


def mail(text: str, head: str = "") -> Reading:
    return read(f"{_TO_BEN}{head}\n{text}".encode())


def bounced(blocks: list[str]) -> list[str]:
    """Return the addresses that an email could not reach, by a report with these blocks."""
    report = f"{_REPORT}Content-Type: message/delivery-status\n\n" + "\n\n".join(blocks) + "\n--b--\n"
    return [each.address for each in read(report.encode()).bounces]


def refused(text: str) -> list[str]:
    """Return the addresses that an email could not reach, by a report for people."""
    report = f"From: mailer-daemon@example.org\nSubject: Undelivered Mail Returned to Sender\n\n{text}"
    found = read(report.encode(), mail_from="", own="play@games.example").bounces
    return [each.address for each in found]


def nested(depth: int) -> bytes:
    """Return an email with its text in so many parts, one within the other."""
    text = b"\nc4\n"
    for number in range(depth):
        text = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%s\n--b%d--\n" % (
            number,
            number,
            text,
            number,
        )
    return text


def introduced(lines: int) -> bool:
    """Return whether an introduction is left out that a program has broken into so many lines."""
    words = ["On Monday, 2 March 2026", *["at 15:04"] * (lines - 2)]
    return split("\n".join(["c4", "", *words, "Nabu <play@games.example> wrote:", "", "> x"])).text == "c4"


def headed(lines: int) -> bool:
    """Return whether headers are left out that are complete within so many lines."""
    block = ["From: Nabu", *[""] * (lines - 4), "Sent: Monday", "To: Ann", "Subject: Nibble"]
    return split("\n".join(["c4", "", *block, "", "d5"])).text == "c4"


def away_below(lines: int) -> bool:
    above = ["Dear sender, this is about your recent message to me."] * (lines - 1)
    return says_away("\n".join([*above, "Out of office from today until the end of next week."]))


def from_of(characters: int) -> Headers:
    return Headers(f"From: {'Ann'.ljust(characters - 10, 'n')} <a@x.org>".encode())


def ids(count: int) -> str:
    return "\n ".join(f"<{number}@example.org>" for number in range(count))


def many(parts: int) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nc4\n" * parts + b"--b--\n"


def unusual(lines: int) -> bool:
    """Return whether lines below a mark other than `>` are read as a quote."""
    return split("\n".join(["c4", *["| Ben played d5."] * lines])).text == "c4"


def complained(addresses: int) -> int:
    """Return how many addresses a complaint is about that names so many."""
    named = "".join(f"Original-Rcpt-To: <a{number}@b.org>\n" for number in range(addresses))
    kind = "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n"
    report = f"{kind}--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n{named}\n--b--\n"
    found = read(report.encode()).complaint
    assert found is not None
    return len(found.addresses)


LIMITS: dict[str, tuple[int, Callable[[int], bool]]] = {
    "characters of From": (4000, lambda most: author_of(from_of(most)).address == "a@x.org"),
    "bounced addresses": (20, lambda most: len(bounced([_FAILED.format(n) for n in range(most)])) == most),
    "blocks of a report": (100, lambda most: bounced([*["Action: relayed"] * (most - 1), _FAILED]) != []),
    "addresses in a report for people": (
        100,
        lambda most: (
            refused("<play@games.example>:\n" * (most - 1) + "<a@b.org>: no such user\n") == ["a@b.org"]
        ),
    ),
    "characters of a status": (500, lambda most: status(f"{' ' * (most - 5)}5.1.1") == "5.1.1"),
    "characters of a gist": (120, lambda most: len(gist("no" * most)) == most),
    "lines of a reaction": (3, lambda most: says_reaction("\n".join(["x"] * (most - 1) + [REACTED[0]]))),
    "characters of a reaction": (120, lambda most: says_reaction(REACTED[0].rjust(most, "x"))),
    "lines above an absence": (3, away_below),
    "characters of a text": (64_000, lambda most: len(mail("x" * most).raw_text) == most),
    "characters of a subject": (
        1000,
        lambda most: len(read(b"Subject: " + b"x" * most + b"\n\n").subject) == most,
    ),
    "characters of a date": (100, lambda most: len(mail("", f"Date: {'x' * most}\n").date) == most),
    "characters of a Message-ID": (
        500,
        lambda most: len(mail("", f"Message-ID: <{'x' * most}>\n").message_id) == most,
    ),
    "answered emails": (100, lambda most: len(mail("", f"References: {ids(most)}\n").answers) == most),
    "parts within parts": (10, lambda most: "c4" in read(nested(most)).raw_text.split("\n")),
    "parts": (100, lambda most: len(parse(many(most)).parts) == most),
    "lines": (500, lambda most: split("\n" * (most - 1) + "c4").text == "c4"),
    "lines of an introduction": (4, introduced),
    "characters of a line between emails": (
        400,
        lambda most: split(f"c4\n{'-----Original Message'.ljust(most, '-')}\nd5").text == "c4",
    ),
    "characters of a signature": (
        150,
        lambda most: split(f"c4\nSent from my {'x' * (most - 20)} iPhone").text == "c4",
    ),
    "lines of a block of headers": (10, headed),
    "characters of a line with other letters": (
        1000,
        lambda most: plain_line("с4".rjust(most))[0] == "c4",  # the first letter is Cyrillic
    ),
    "characters of a comparable text": (1000, lambda most: comparable("C" * most).islower()),
    "words of a name": (5, lambda most: is_signed(" ".join(["Ben"] * most), ["Ben"])),
    "words of a label": (8, lambda most: is_label(" ".join(["public"] * most))),
    "characters of a label": (300, lambda most: is_label(f"[{'x ' * (most // 2 - 1)}{'x' * (most % 2)}]")),
    "characters of a disclaimer": (2000, lambda most: is_disclaimer(["intended recipient".rjust(most)])),
    "characters of the sent texts": (
        100_000,
        lambda most: split(f"c4\n\n{_SENT}", [f"\n{_SENT}".rjust(most)]).text == "c4",
    ),
    "addresses in a complaint": (20, lambda most: complained(most) == most),
}
LEAST: dict[str, tuple[int, Callable[[int], bool]]] = {
    "lines with an unusual mark": (3, unusual),
    "characters of an absence": (60, lambda least: says_away("Out of office: ".ljust(least, "x"))),
    "characters of the last line of a quote": (
        60,
        lambda least: not needs_sent_texts(mail(f"c4\n\n{SENTINEL}\n\n{'x' * least}")),
    ),
    "lines of an email with a quote": (5, lambda least: needs_sent_texts(mail("c4" + "\nd5" * (least - 1)))),
}


@pytest.mark.parametrize("what", LIMITS)
def test_no_more_is_read(what: str) -> None:
    most, is_read = LIMITS[what]
    assert is_read(most)
    assert not is_read(most + 1)


@pytest.mark.parametrize("what", LEAST)
def test_less_is_not_recognized(what: str) -> None:
    least, is_recognized = LEAST[what]
    assert is_recognized(least)
    assert not is_recognized(least - 1)
