"""Reading of an incoming email: its author, whether that is a person, and the person's text.

`read` accepts any bytes and never raises. Its time and memory are limited for any email: parts.py limits the
parsing, and texts are cut before any pattern is applied.
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
from mail.reading.classifying import Kind, classify, says_away, says_reaction
from mail.reading.markers import is_quoted
from mail.reading.markup import plain_text, strikes_out
from mail.reading.parts import Part, parse
from mail.reading.quoting import Written, split
from mail.reading.reports import Complaint, complaint, returned, returned_path
from mail.reading.wrapping import ENCRYPTED, unwrapped, why_unread, without_armour

_DEEPEST = 2  # signed emails within emails
_MOST_TEXT = 64_000  # bytes
_MOST_HTML = 500_000
_LONGEST_ID = 500
_MOST_IDS = 100  # ids of answered emails
_LONGEST_DATE = 100
_LONGEST_SUBJECT = 1000
_RECIPIENTS = ("Delivered-To", "X-Original-To", "To", "Cc")
_PLAIN = ("text/plain", "text/markdown", "text/x-markdown")
_ID = re.compile(r"<([^<>\s]+)>")
_SHORTEST_QUOTE = 4  # lines; an email with fewer lines contains no quote
_SHORTEST_END = 60  # characters of the last line of an email from Nabu
_BLANK = re.compile(r"&(?:nbsp|zwnj|zwj|shy|#0*160|#0*8203|#x0*a0|#x0*200b);|\u034f", re.IGNORECASE)
_STRUCK_OUT = re.compile(r"~~(?=\S)[^~\n]{1,500}~~")
"""Text that is struck out in Markdown."""


@dataclass(frozen=True)
class Reading:
    """The contents of an email.

    `kind` is "reply" for an email by a person, the only kind that gets answers; `why` is the evidence for
    another kind. `recipients` are the addresses in Delivered-To, X-Original-To, To and Cc, in this order;
    `message_id` has no angle brackets. `raw_text` is the text as it arrived, `written` the same, split into the
    person's text and the rest. `answers` are the ids of the emails that it answers, the last one first;
    `returned` is the id of the email that bounced, and `returned_path` its return path, "" if the report does
    not contain it. `date` is as written. `unread` is the reason why the text cannot be read, one of the reasons
    in `wrapping`, else "".
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
        """Return the author's address, "" if it is not certain."""
        return self.author.address

    @property
    def text(self) -> str:
        """Return the person's text."""
        return self.written.text

    @property
    def seems_away(self) -> bool:
        """Return whether it reads like an automatic answer during an absence; a command in it counts more."""
        return says_away(self.text)


def read(raw: bytes, *, mail_from: str | None = None, own: str = "", sent: Sequence[str] = ()) -> Reading:
    """Read an email; never raises.

    `mail_from` is the return path of the envelope, "" for the null path of machines, None if it is not known.
    `own` is the server's address. `sent` are the plain texts of Nabu's emails that this one may quote.
    """
    mail = parse(raw)
    headers = mail.headers
    author = author_of(headers)
    kind, why = classify(mail, author.address, mail_from, own)
    text, unread = _opened(mail)
    text = _STRUCK_OUT.sub("", visible(text))
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


def needs_sent_texts(reading: Reading) -> bool:
    """Return whether an email may contain quoted lines of Nabu that only `reread` with sent texts recognizes.

    Rendering an email takes some milliseconds. So it is necessary only if there is no text above the quote or
    some text inside it, if the marker line at the beginning of the quote is missing, or if the last line may be
    new text below the quote.
    """
    written = reading.written
    if written.follows or written.below or written.aside or not reading.text:
        return True
    *lines, last = reading.raw_text.rstrip().split("\n")
    ends_clearly = written.ends_clearly and (is_quoted(last) or len(last) >= _SHORTEST_END)
    return len(lines) >= _SHORTEST_QUOTE and not ends_clearly


def reread(reading: Reading, sent: Sequence[str]) -> Reading:
    """Read an email again with the texts in `sent`, without parsing it a second time."""
    return replace(reading, written=split(reading.raw_text, sent))


def recipients(headers: Headers) -> tuple[str, ...]:
    """Return the recipients in a header: those in Delivered-To, X-Original-To, To and Cc, in this order."""
    return tuple(addresses(field.value for name in _RECIPIENTS for field in headers.named(name)))


def answered(headers: Headers) -> tuple[str, ...]:
    """Return the Message-IDs of the emails that an email answers, the last one first."""
    given = [*headers.all("References"), *headers.all("In-Reply-To")]
    found = [each for value in given for each in _ID.findall(value)]
    return tuple(dict.fromkeys(found[: -_MOST_IDS - 1 : -1]))


def _message_id(value: str) -> str:
    found = _ID.search(value)
    return (found[1] if found else "".join(value.split()).strip("<>"))[:_LONGEST_ID]


def _opened(mail: Part, depth: int = 0) -> tuple[str, str]:
    """Return the text to be read, or "" and why it cannot be."""
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
    """Return the text to be read: the plain one, or the HTML if that is empty or only mentions HTML."""
    plain, html = _bodies(mail)
    if html and strikes_out(html):
        return plain_text(html)[:_MOST_TEXT]
    # A plain text that mentions HTML usually says that your program cannot show it; if a person wrote it, the
    # HTML contains it, too.
    if html and (_is_blank(plain) or "html" in plain[:500].lower()):
        return plain_text(html)[:_MOST_TEXT] or plain
    return plain


def _bodies(part: Part) -> tuple[str, str]:
    """Return the plain text and the HTML in a part: of alternatives the first of each, of other parts all.

    Attached texts count if there is no other text: some programs attach what a person wrote.
    """
    if part.media_type in _PLAIN:
        return part.text(_MOST_TEXT), ""
    if part.media_type == "text/html":
        return "", part.text(_MOST_HTML)
    inline = _joined(part, [each for each in part.parts if not each.attached])
    if not _is_blank(inline[0] + inline[1]):
        return inline
    return _joined(part, [each for each in part.parts if each.attached])


def _joined(whole: Part, parts: Sequence[Part]) -> tuple[str, str]:
    found = [_bodies(each) for each in parts]
    plain = [text for text, _ in found if not _is_blank(text)]
    html = [text for _, text in found if not _is_blank(text)]
    if whole.media_type == "multipart/alternative":
        plain, html = plain[:1], html[:1]
    return "\n".join(plain)[:_MOST_TEXT], "\n".join(html)[:_MOST_HTML]


def _is_blank(text: str) -> bool:
    """Return whether a text has no visible characters, entities of HTML included."""
    return not visible(_BLANK.sub("", text)).strip()
