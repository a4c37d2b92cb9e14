"""Answers as mail programs write them: the forms stand in `programs.toml`, the languages in `tongues.toml`."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.charset import BASE64, QP, Charset
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from pathlib import Path
from typing import Literal

from tests.mails.flattening import as_html, body_of, flattened
from tests.mails.turns import Turn

HERE = Path(__file__).parent
OWN = "ann@example.org"
NAME, ADDRESS = "Nabu", "play@games.example.org"
TONGUES = tomllib.loads((HERE / "tongues.toml").read_text(encoding="utf-8"))
"""Languages by code, as that file says."""

Place = Literal["top", "below", "between"]
_CODINGS = {"quoted-printable": QP, "base64": BASE64}


@dataclass(frozen=True)
class Answer:
    """A person's answer, as text and as the HTML of the program; `place` is its place relative to the quote."""

    text: Sequence[str]
    place: Place
    html: Sequence[str] = ()


@dataclass(frozen=True)
class Program:
    """A format in which an email program writes answers; `programs.toml` describes the fields at its top."""

    name: str
    encoding: str
    head: str = ""
    heads: dict[str, str] = field(default_factory=dict)
    foot: str = ""
    feet: dict[str, str] = field(default_factory=dict)
    languages: Sequence[str] = tuple(TONGUES)
    places: Sequence[Place] = ("top",)
    mark: str = "> "
    gap: int = 1
    width: int = 0
    torn: bool = False
    flowed: bool = False
    cells: str = ""
    text: bool = True
    charset: str = "utf-8"
    html: str = ""
    block: str = ""
    line: str = ""
    foot_html: str = "<br>{foot}"

    def write(self, turn: Turn, language: str, answer: Answer) -> bytes:
        """Return the email in which a player answers an email from Nabu."""
        words = self._words(turn, language)
        text = self._part("plain", self._text(turn, language, answer)) if self.text else None
        html = self._part("html", self._html(turn, answer, words)) if self.html else None
        if text is not None and html is not None:
            mail: Message = MIMEMultipart("alternative", "0000000000004f2b", [text, html])
        else:
            mail = text or html or Message()
        mail["From"] = f"Ann Lee <{OWN}>"
        mail["To"] = turn.reply_to
        mail["Subject"] = f"{TONGUES[language]['subject']}: {turn.subject}"
        mail["Message-ID"] = f"<{self.name}.{language}.{turn.game_type}.{answer.place}@mail.example.org>"
        mail["In-Reply-To"] = turn.message_id
        mail["Date"] = "Mon, 02 Mar 2026 16:23:42 +0100"
        return mail.as_bytes()

    def _words(self, turn: Turn, language: str) -> dict[str, str]:
        """Return the words that the texts of a program may contain."""
        tongue = TONGUES[language]
        fixed = {"name": NAME, "address": ADDRESS, "own": OWN, "topic": turn.subject}
        said = {key: text.format(**fixed) for key, text in tongue.items() if isinstance(text, str)}
        labels = dict(zip(("from", "sent", "to", "subject"), tongue["labels"], strict=True))
        values = (f"{NAME} <{ADDRESS}>", tongue["date"], OWN, turn.subject)
        block = "\n".join(f"{label}: {value}" for label, value in zip(tongue["labels"], values, strict=True))
        words = {**said, **fixed, **labels, "block": block}
        words["head"] = self.heads.get(language, self.head).format(**words)
        words["foot"] = self.feet.get(language, self.foot).format(**words)
        return words

    def lines(self, turn: Turn, language: str, answer: Answer) -> list[tuple[str, bool]]:
        """The lines of the plain text of such a mail, each with whether it is the writer's own."""
        words = self._words(turn, language)
        ours = flattened(turn.html, self.cells) if self.cells else turn.text
        quoted = [line for each in ours.split("\n") for line in self._quoted(each)]
        head = [line for each in words["head"].split("\n") for line in self._broken(each)]
        blank = [""] * self.gap
        middle = len(quoted) // 2
        pieces: dict[Place, tuple[list[str], list[str]]] = {
            "top": ([], ["", *head, *blank, *quoted]),
            "below": ([*head, *blank, *quoted, ""], []),
            "between": ([*head, *blank, *quoted[:middle], ""], ["", *quoted[middle:]]),
        }
        before, after = pieces[answer.place]
        foot = ["", words["foot"]] if words["foot"] else []
        written = [(line, True) for line in answer.text]
        return [*((line, False) for line in before), *written, *((line, False) for line in [*foot, *after])]

    def _text(self, turn: Turn, language: str, answer: Answer) -> str:
        lines = [line for line, _ in self.lines(turn, language, answer)]
        # A text that flows would be joined where a line happens to end in a blank.
        return "\n".join(line.rstrip() if self.flowed and line != "-- " else line for line in lines) + "\n"

    def _quoted(self, line: str) -> list[str]:
        marked = f"{self.mark}{line}".rstrip() if self.mark.strip() else f"{self.mark}{line}"
        if not self.width:
            return [marked]
        pieces = self._broken(line if not self.torn else marked)
        return pieces if self.torn else [f"{self.mark}{piece}".rstrip() for piece in pieces]

    def _broken(self, line: str) -> list[str]:
        if not self.width or len(line) <= self.width:
            return [line]
        return textwrap.wrap(line, self.width, break_long_words=False, break_on_hyphens=False)

    def _html(self, turn: Turn, answer: Answer, words: dict[str, str]) -> str:
        quote = body_of(turn.html) if self.cells or not self.text else f"<pre>{as_html(turn.text)}</pre>"
        escaped = {key: as_html(text) for key, text in words.items()}
        foot = self.foot_html.format(foot=escaped["foot"]) if words["foot"] else ""
        lines = answer.html or [as_html(line) for line in answer.text]
        written = "".join(self.line.format(line=line or "<br>") for line in lines)
        if answer.place == "top":
            return self.html.format(**{**escaped, "answer": written, "foot": foot, "quote": quote})
        middle = quote.index("<table") if "<table" in quote else len(quote) // 2
        pieces = [quote[:middle], quote[middle:]] if answer.place == "between" else [quote, ""]
        first, last = (self.block.format(quote=piece) if piece else "" for piece in pieces)
        return f"<html><body><div>{escaped['head']}</div>{first}{written}{foot}{last}</body></html>"

    def _part(self, subtype: str, text: str) -> Message:
        part = MIMENonMultipart("text", subtype)
        if self.flowed and subtype == "plain":
            part.set_param("format", "flowed")
        data = text.encode(self.charset, "replace")
        if self.encoding not in _CODINGS:
            part.set_param("charset", self.charset)
            part["Content-Transfer-Encoding"] = self.encoding
            part.set_payload(data.decode("ascii", "surrogateescape"))
            return part
        charset = Charset(self.charset)
        charset.body_encoding, charset.output_charset = _CODINGS[self.encoding], self.charset
        part.set_payload(data.decode(self.charset), charset)
        return part


def programs() -> list[Program]:
    """All mail programs, in the order of the file."""
    table = tomllib.loads((HERE / "programs.toml").read_text(encoding="utf-8"))
    return [Program(name=name, **fields) for name, fields in table.items()]
