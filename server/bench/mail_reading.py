"""Measure how well emails are read, compared to two libraries, on folders of emails with known answers.

A folder holds one or more corpora, each with `in/NAME.eml` and `out/NAME.txt`: the expected text, after lines
such as `game_type: reply` and an empty one.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import quotequail  # type: ignore[import-untyped]

from mail.reading.message import read

Reader = Callable[[bytes], str]


@dataclass(frozen=True)
class Sample:
    """An email and the text that its sender wrote."""

    raw: bytes
    expected: str


@dataclass
class ReadingScore:
    """The number of emails read, and of those read exactly, with the right first line, with lines that the
    sender did not write, and without lines that the sender wrote. Blanks and line breaks do not count.
    """

    mails: int = 0
    exact: int = 0
    first_line: int = 0
    leaked: int = 0
    lost: int = 0
    times: list[float] = field(default_factory=list)
    """The processor time of each email, in seconds."""

    def add(self, expected: str, found: str) -> None:
        """Count one email."""
        wanted, got = " ".join(expected.split()), " ".join(found.split())
        self.mails += 1
        self.exact += wanted == got
        first = next(_lines(found), "")
        # In HTML, and so in the expected text, lines can end anywhere.
        self.first_line += first == next(_lines(expected), "") or bool(first and wanted.startswith(first))
        self.leaked += any(line not in wanted for line in _lines(found))
        self.lost += any(line not in got for line in _lines(expected))


def corpora(folder: Path) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the corpora in a folder, by name; the folder itself may be one."""
    for inner in sorted({path.parent for path in folder.rglob("*/in")} | {folder}):
        mails = [_mail(path) for path in sorted((inner / "in").glob("*.eml"))]
        if known := [mail for mail in mails if mail is not None]:
            yield inner.name, known


def score(reader: Reader, mails: Iterable[Sample]) -> ReadingScore:
    """Read emails and count the results."""
    total = ReadingScore()
    for mail in mails:
        began = time.process_time()
        found = reader(mail.raw)
        total.times.append(time.process_time() - began)
        total.add(mail.expected, found)
    return total


def spent(folder: Path) -> list[float]:
    """Return the processor time of each email in a folder in seconds, the median of three times."""
    mails = (Sample(path.read_bytes(), "") for path in sorted(folder.rglob("*.eml")))
    return [median(score(_nabu, [mail] * 3).times) for mail in mails]


def alone(mails: Iterable[Sample]) -> list[float]:
    """Return the seconds that quotequail takes for the text of each email, which was extracted before."""
    found = []
    for mail in mails:
        text = read(mail.raw).raw_text
        began = time.process_time()
        quotequail.quote(text, quote_intro_line=True)
        found.append(time.process_time() - began)
    return found


def readers() -> dict[str, Reader | None]:
    """Return the readers by name; None for a library that is not installed."""
    return {"nabu": _nabu, "quotequail": _quotequail, "mail-parser-reply": _mail_parser_reply()}


def _nabu(raw: bytes) -> str:
    reading = read(raw)
    return f"{reading.text}\n{reading.written.below}"


def _quotequail(raw: bytes) -> str:
    pieces: list[tuple[bool, str]] = quotequail.quote(read(raw).raw_text, quote_intro_line=True)
    return "\n".join(text for shown, text in pieces if shown)


def _mail_parser_reply() -> Reader | None:
    try:
        from mailparser_reply import EmailReplyParser  # type: ignore[import-not-found]
        from mailparser_reply.constants import MAIL_LANGUAGES  # type: ignore[import-not-found]
    except ImportError:
        return None
    parser = EmailReplyParser(languages=list(MAIL_LANGUAGES))
    return lambda raw: parser.parse_reply(read(raw).raw_text) or ""


def _mail(path: Path) -> Sample | None:
    """Return an email with its expected text; None if there is no expected text, or it must not be read."""
    answer = path.parent.parent / "out" / f"{path.stem}.txt"
    if not answer.exists():
        return None
    head, _, text = answer.read_text(encoding="utf-8").partition("\n\n")
    if "kind: reply" not in head.splitlines():
        return None
    return Sample(path.read_bytes(), text)


def _lines(text: str) -> Iterator[str]:
    return (" ".join(line.split()) for line in text.splitlines() if line.strip())
