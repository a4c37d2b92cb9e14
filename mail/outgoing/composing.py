"""The writer of outgoing emails as bytes.

Written by hand rather than with `email.message`: all emails of Nabu have the same shape, and the standard
library takes many times as long. Everything is 7-bit (quoted-printable or base64), so no relay has a reason to
change a byte, and signatures remain valid.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from urllib.parse import quote

from mail.reading.classifying import MARKER

_WIDTH = 76  # characters of a folded line
_LONGEST_WORD = 900  # characters of an unfolded word; a line may have 998
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\\\"@]+@[^\s<>()\[\],;:\\\"@]+")
_ID = re.compile(r"[!-;=?-~]+")
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_UNWANTED_ANSWERS = "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply"
"""Answers that Exchange suppresses ([MS-OXCMAIL] 2.1.3.2.20): all but bounces, which Nabu reads."""
_NO_REACTIONS = "x-ms-reactions: disallow"
"""Outlook offers no reactions, each of which would be an email to Nabu."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ATOMS = re.compile(r"[A-Za-z0-9 !#$%&'*+/?^_`{|}~-]*")


@dataclass(frozen=True)
class Attachment:
    """A file attached to an email; `media_type` is as in `application/json`. Texts are in UTF-8."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class Mail:
    """One email to one recipient.

    `sender`, `recipient` and `reply_to` (may be "") are `Name <address>` or an address; the ids are with or
    without angle brackets; `date` has a time zone; `headers` are additional ones, name and value.
    """

    sender: str
    recipient: str
    reply_to: str
    subject: str
    text: str
    html: str
    message_id: str
    date: datetime
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    attachments: tuple[Attachment, ...] = ()
    is_answer: bool = False
    """True for an answer to one email of the recipient (RFC 3834)."""


def compose(mail: Mail) -> bytes:
    """Return the email as it is transmitted; the same email always gives the same bytes.

    Text and HTML are alternatives, text first; attachments come after them. Raises ValueError for values that
    must not be in a header: line ends and other control characters, invalid addresses.
    """
    # Neither quoted-printable nor base64 contains "=_", so a boundary cannot occur in a part.
    unique = hashlib.sha256(mail.message_id.encode()).hexdigest()[:32]
    body = _multipart("alternative", f"=_text_{unique}", [_text("plain", mail.text), _text("html", mail.html)])
    if mail.attachments:
        body = _multipart("mixed", f"=_all_{unique}", [body, *map(_attached, mail.attachments)])
    return "\r\n".join(_headers(mail)).encode() + b"\r\n" + body


def _headers(mail: Mail) -> Iterator[str]:
    message_id = _ids([mail.message_id])
    if not message_id:
        raise ValueError(f"{mail.message_id!r} is not a message id")
    if mail.date.tzinfo is None:
        raise ValueError("the date of an email needs a time zone")
    yield _folded("From", _mailbox("From", mail.sender))
    yield _folded("To", _mailbox("To", mail.recipient))
    if mail.reply_to:
        yield _folded("Reply-To", _mailbox("Reply-To", mail.reply_to))
    yield _folded("Subject", _encoded("Subject", mail.subject))
    yield _folded("Date", format_datetime(mail.date))
    yield _folded("Message-ID", message_id)
    if in_reply_to := _ids([mail.in_reply_to]):
        yield _folded("In-Reply-To", in_reply_to)
    if references := _ids(mail.references):
        yield _folded("References", references)
    yield f"Auto-Submitted: {'auto-replied' if mail.is_answer else 'auto-generated'}"
    yield _UNWANTED_ANSWERS
    yield _NO_REACTIONS
    yield f"{MARKER}: 1"
    for name, value in mail.headers:
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a valid name of a header field")
        yield _folded(name, _encoded(name, value))
    yield "MIME-Version: 1.0"


def _folded(name: str, value: str) -> str:
    line = f"{name}: {value}"
    if len(line) <= _WIDTH:
        return line
    return "\r\n ".join(textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False))


def _encoded(name: str, value: str) -> str:
    """Return the value in ASCII, as encoded words if it is not ASCII, or looks like an encoded word itself."""
    _refuse_controls(value)
    if value.isascii() and "=?" not in value and all(len(word) < _LONGEST_WORD for word in value.split()):
        return value
    text = value.encode(errors="replace").decode()
    return Header(text, "utf-8", maxlinelen=_WIDTH, header_name=name).encode(linesep="")


def _mailbox(header: str, value: str) -> str:
    """Return `Name <address>` with the name quoted or encoded as needed, so that it always remains a name."""
    name, bracket, address = value.rpartition("<")
    address = address.removesuffix(">") if bracket else address
    name = name.strip().strip('"')
    _refuse_controls(value)
    if not _ADDRESS.fullmatch(address) or len(address) > _LONGEST_WORD:
        raise ValueError(f"{value!r} is not an email address")
    if not name:
        return address
    if not name.isascii() or "=?" in name:
        return f"{_encoded(header, name)} <{address}>"
    if not _ATOMS.fullmatch(name):
        name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{name} <{address}>"


def _ids(ids: Sequence[str]) -> str:
    """Join message ids in angle brackets. Malformed ones are left out: players' programs write all sorts."""
    bare = [given.strip("<>") for given in ids]
    for each in bare:
        _refuse_controls(each)
    return " ".join(f"<{each}>" for each in bare if _ID.fullmatch(each) and len(each) < _LONGEST_WORD)


def _refuse_controls(value: str) -> None:
    if _CONTROL.search(value):
        raise ValueError(f"a control character in the header value {value!r}")


def _multipart(subtype: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    """Return an entity of several parts: its header lines, an empty line, and the parts."""
    delimiter = f"\r\n--{boundary}\r\n".encode()
    head = f'Content-Type: multipart/{subtype};\r\n boundary="{boundary}"\r\n'.encode()
    return head + delimiter + delimiter.join(parts) + f"\r\n--{boundary}--\r\n".encode()


def _text(subtype: str, text: str) -> bytes:
    data = text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace")
    quoted = binascii.b2a_qp(data, istext=True)
    # A text without Latin letters triples in quoted-printable.
    if len(quoted) > 2 * len(data):
        encoding, content = "base64", base64.encodebytes(data.replace(b"\n", b"\r\n"))
    else:
        encoding, content = "quoted-printable", quoted
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + content.replace(b"\n", b"\r\n")


def _attached(attachment: Attachment) -> bytes:
    if not _MEDIA_TYPE.fullmatch(attachment.media_type):
        raise ValueError(f"{attachment.media_type!r} is not a media type")
    _refuse_controls(attachment.name)
    charset = "; charset=utf-8" if attachment.media_type.startswith("text/") else ""
    head = (
        f"Content-Type: {attachment.media_type}{charset}\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f"Content-Disposition: attachment; filename*=utf-8''{quote(attachment.name, safe='')}\r\n\r\n"
    )
    return head.encode() + base64.encodebytes(attachment.content).replace(b"\n", b"\r\n")
