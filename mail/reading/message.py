"""A mail that came in, read: who wrote it, whether that is a person, and what the person wrote.

`read` takes any bytes and never raises. Its time and memory are bounded, whatever the mail: parts.py limits how
it is taken apart, and texts are cut before any pattern is looked for in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mail.addresses import addresses
from mail.decoding import header_text, visible
from mail.fields import Headers
from mail.reading.author import Author, author_of
from mail.reading.bounces import Bounce, bounces
from mail.reading.classifying import Kind, classify
from mail.reading.machines import says_away, says_reaction
from mail.reading.markup import plain_text
from mail.reading.parts import Part, parse
from mail.reading.quoting import Written, split
from mail.reading.reports import Complaint, complaint, returned, returned_path
from mail.reading.wrapping import ENCRYPTED, unwrapped, why_unread, without_armour

_DEEPEST = 2  # mails within mails that are signed
_MOST_TEXT = 64_000  # bytes
_MOST_HTML = 500_000
_LONGEST_ID = 500
_MOST_IDS = 100  # of the mails that one answers
_LONGEST_DATE = 100
_LONGEST_SUBJECT = 1000
_RECIPIENTS = ("Delivered-To", "X-Original-To", "To", "Cc")
_ID = re.compile(r"<([^<>\s]+)>")


@dataclass(frozen=True)
class Reading:
    """What a mail says.

    `kind` is "reply" for the mail of a person, the only kind that is ever answered; `why` is what showed it to
    be another kind. `author` is who it is from; `recipients` are those in Delivered-To, X-Original-To, To and
    Cc, in this order; `message_id` stands without angle brackets. `raw_text` is the text as it came, `written`
    the same, split into what the person wrote and what was cut off. `answers` are the ids of the mails that it
    answers, the last one first; `returned` is that of the mail that bounced, and `returned_path` is its return
    path, "" if the report does not say. `date` is as written. `unread` is why the text cannot be read, one of
    the reasons of `wrapping`, else "".
    """

    kind: Kind
    why: str
    author: Author
    message_id: str
    subject: str
    recipients: tuple[str, ...]
    raw_text: str
    written: Written
    answers: tuple[str, ...] = ()
    bounces: tuple[Bounce, ...] = ()
    complaint: Complaint | None = None
    returned: str = ""
    returned_path: str = ""
    date: str = ""
    unread: str = ""

    @property
    def sender(self) -> str:
        """The author's address, "" where it is not certain."""
        return self.author.address

    @property
    def text(self) -> str:
        """What the person wrote."""
        return self.written.text

    @property
    def seems_away(self) -> bool:
        """Whether it reads like the automatic answer of someone who is away: no command in it counts more."""
        return says_away(self.text)


def read(raw: bytes, *, mail_from: str | None = None, own: str = "", sent: Sequence[str] = ()) -> Reading:
    """Read a mail; never raises.

    `mail_from` is the return path of the envelope, "" for the null path of machines, None where it is not
    known. `own` is our plain address. `sent` are the plain texts of the mails of ours that this one may quote.
    """
    mail = parse(raw)
    headers = mail.headers
    author = author_of(headers)
    kind, why = classify(mail, author.address, mail_from, own)
    text, unread = _opened(mail)
    text = visible(text)
    written = split(text, sent)
    if kind == "reply" and says_reaction(written.text):
        kind, why = "auto", "a reaction"
    return Reading(
        kind=kind,
        why=why,
        author=author,
        message_id=_message_id(headers.first("Message-ID")),
        subject=header_text(headers.first("Subject"))[:_LONGEST_SUBJECT],
        recipients=recipients(headers),
        raw_text=text,
        written=written,
        answers=answered(headers),
        bounces=bounces(mail, own) if kind == "bounce" else (),
        complaint=complaint(mail) if kind == "complaint" else None,
        returned=returned(mail) if kind == "bounce" else "",
        returned_path=returned_path(mail) if kind == "bounce" else "",
        date=headers.first("Date")[:_LONGEST_DATE].strip(),
        unread=unread,
    )


def reread(reading: Reading, sent: Sequence[str]) -> Reading:
    """The same mail as `read` returns it with `sent`, without taking it apart again."""
    return replace(reading, written=split(reading.raw_text, sent))


def recipients(headers: Headers) -> tuple[str, ...]:
    """Those to whom a mail with this header went: in Delivered-To, X-Original-To, To and Cc, in this order."""
    return tuple(addresses(field.value for name in _RECIPIENTS for field in headers.named(name)))


def answered(headers: Headers) -> tuple[str, ...]:
    """The ids of the mails that one with this header answers, without angle brackets, the last one first."""
    given = [*headers.all("References"), *headers.all("In-Reply-To")]
    found = [each for value in given for each in _ID.findall(value)]
    return tuple(dict.fromkeys(found[: -_MOST_IDS - 1 : -1]))


def _message_id(value: str) -> str:
    found = _ID.search(value)
    return (found[1] if found else "".join(value.split()).strip("<>"))[:_LONGEST_ID]


def _opened(mail: Part, depth: int = 0) -> tuple[str, str]:
    """The text to be read, or "" and why it cannot be."""
    inner, why = unwrapped(mail) if depth < _DEEPEST else (None, "")
    if inner is not None:
        text, why = _opened(inner, depth + 1)
        if text.strip():
            return text, ""
    text, is_encrypted = without_armour(_text(mail))
    if text.strip():
        return text, ""
    return text, why or (ENCRYPTED if is_encrypted else why_unread(mail))


def _text(mail: Part) -> str:
    """The text to be read: the plain one, or the HTML where that says nothing by itself."""
    plain, html = _bodies(mail)
    # A plain text that mentions HTML usually says that your program cannot show it; if a person wrote that, the
    # HTML says it too.
    if html and (not plain.strip() or "html" in plain[:500].lower()):
        return plain_text(html)[:_MOST_TEXT] or plain
    return plain


def _bodies(part: Part) -> tuple[str, str]:
    """The plain text and the HTML in a part: of alternatives the first of each, of other parts all."""
    if part.media_type == "text/plain":
        return part.text(_MOST_TEXT), ""
    if part.media_type == "text/html":
        return "", part.text(_MOST_HTML)
    found = [_bodies(each) for each in part.parts if not each.attached]
    plain = [text for text, _ in found if text.strip()]
    html = [text for _, text in found if text.strip()]
    if part.media_type == "multipart/alternative":
        plain, html = plain[:1], html[:1]
    return "\n".join(plain)[:_MOST_TEXT], "\n".join(html)[:_MOST_HTML]
