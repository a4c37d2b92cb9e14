"""Emails that are signed or encrypted: S/MIME (RFC 8551) and OpenPGP (RFC 3156, RFC 9580).

Signed text is read without a check of the signature, since a player's key proves nothing about their address:
the sender is checked by `mail.authentication`, whatever is in the email.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyasn1.codec.ber import decoder  # type: ignore[import-untyped]
from pyasn1.codec.der.encoder import encode  # type: ignore[import-untyped]
from pyasn1.error import PyAsn1Error  # type: ignore[import-untyped]
from pyasn1.type import namedtype, tag, univ  # type: ignore[import-untyped]

from mail.reading.parts import Part, parse

ENCRYPTED = "encrypted"
DAMAGED = "signed in a way that cannot be read"
IN_TNEF = "in a file that only Outlook reads"
"""Reasons why a text cannot be read. No maintained library reads the last, winmail.dat; Outlook can avoid it.
"""

_SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_PGP = ("application/pgp-encrypted", "multipart/encrypted")
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
_MOST_BYTES = 150_000  # of the signed data and its signature: parsing takes time
# The type of an encrypted email; it is at the top, after a few bytes of lengths.
_ENVELOPES = tuple(
    map(encode, map(univ.ObjectIdentifier, ("1.2.840.113549.1.7.3", "1.2.840.113549.1.9.16.1.23")))
)
_TOP = 32
_MOST_ITEMS = 2000
"""Signed data has a few dozen, and one for each piece of a thousand bytes or more into which it is cut."""

_CLEARSIGNED = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z]+: [^\n]*\n)*[ \t]*\n"
    r"(?P<text>(?:(?!-----)[^\n]*\n)*+)"
    r"(?:-----BEGIN PGP SIGNATURE-----(?:\n(?!-----)[^\n]*)*+(?:\n-----END PGP SIGNATURE-----[^\n]*)?)?",
    re.MULTILINE,
)
_MESSAGE = re.compile(
    r"^-----BEGIN PGP MESSAGE[^\n]*(?:\n(?!-----)[^\n]*)*+(?:\n-----END PGP MESSAGE[^\n]*)?", re.MULTILINE
)
_ESCAPED = re.compile(r"^- ", re.MULTILINE)


def _sequence(**fields: Any) -> Any:
    """Return the type of a sequence in signed data (RFC 5652); fields named "maybe…" are optional."""
    types = [
        (namedtype.OptionalNamedType if name.startswith("maybe") else namedtype.NamedType)(name, kind)
        for name, kind in fields.items()
    ]
    return univ.Sequence(componentType=namedtype.NamedTypes(*types))


def _within(kind: Any) -> Any:
    return kind.subtype(explicitTag=tag.Tag(tag.tagClassContext, tag.tagFormatConstructed, 0))


def _any_set(number: int | None = None) -> Any:
    """Return the type of a set whose items are ignored: certificates and the like."""
    kind = univ.SetOf(componentType=univ.Any())
    if number is None:
        return kind
    return kind.subtype(implicitTag=tag.Tag(tag.tagClassContext, tag.tagFormatConstructed, number))


_CONTENT = _sequence(type=univ.ObjectIdentifier(), maybe_content=_within(univ.OctetString()))
_DATA = _sequence(
    version=univ.Integer(),
    digests=_any_set(),
    signed=_CONTENT,
    maybe_certificates=_any_set(0),
    maybe_revoked=_any_set(1),
    signers=_any_set(),
)
_SIGNED = _sequence(type=univ.ObjectIdentifier(), content=_within(_DATA))


class _LimitedDecoder(decoder.SingleItemDecoder):  # type: ignore[misc]
    """Decodes at most a fixed number of items, nested or not."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._left = _MOST_ITEMS

    def __call__(self, *given: Any, **more: Any) -> Iterator[Any]:
        """Decode one item for the library."""
        self._left -= 1
        if self._left < 0:
            raise PyAsn1Error("too many items")
        return super().__call__(*given, **more)  # type: ignore[no-any-return]


class _Stream(decoder.StreamingDecoder):  # type: ignore[misc]
    SINGLE_ITEM_DECODER = _LimitedDecoder


class _Decoder(decoder.Decoder):  # type: ignore[misc]
    STREAMING_DECODER = _Stream


def unwrapped(mail: Part) -> tuple[Part | None, str]:
    """Return the email within a signed email; None if there is none, or if it cannot be read.

    The second value is the reason why it cannot be read, "" in other cases.
    """
    part = next((part for part in mail.walk() if _is_smime(part)), None)
    if part is None:
        return None, ""
    data = part.content(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        return None, DAMAGED
    if any(envelope in data[:_TOP] for envelope in _ENVELOPES):
        return None, ENCRYPTED
    try:
        signed = _Decoder()(data, asn1Spec=_SIGNED)[0]["content"]["signed"]["maybe_content"]
        return (parse(bytes(signed)), "") if signed.isValue else (None, DAMAGED)
    except Exception:  # besides its own errors, the library raises IndexError for some damage
        return None, DAMAGED


def without_armour(text: str) -> tuple[str, bool]:
    """Return the text without the lines of an OpenPGP signature, and whether it contained encrypted lines."""
    plain = _CLEARSIGNED.sub(lambda found: _ESCAPED.sub("", found["text"]), text)
    kept, count = _MESSAGE.subn("", plain)
    return kept, count > 0


def why_unread(mail: Part) -> str:
    """Return why an email may seem to have no text: it is encrypted, or in a file; "" in other cases."""
    kinds = {part.media_type for part in mail.walk()}
    if not kinds.isdisjoint(_PGP):
        return ENCRYPTED
    return IN_TNEF if not kinds.isdisjoint(_TNEF) else ""


def _is_smime(part: Part) -> bool:
    return part.media_type in _SMIME or (
        part.media_type == "application/octet-stream" and part.filename.endswith(".p7m")
    )
