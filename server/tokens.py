"""Reply addresses: `NAME+TOKEN@DOMAIN`, where the token names what is answered, and is signed and encrypted.

Encrypted, as who could read the numbers of held mails could count how much others wrote in between.

Tokens stand in the local part of an address, where case may be lost and 64 characters are the limit; the
libraries that sign tokens need case. So: base32 of twelve bytes that say what, and ten of HMAC-SHA256, from
which the key stream over the twelve comes.
"""

import base64
import hmac
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from mail.addresses import tagged
from server.vault import derive

_WHAT = struct.Struct(">BQHB")
_MAC_BYTES = 10
_GAME, _HELD = 1, 2


@dataclass(frozen=True)
class ReplyToken:
    """What a reply answers: a game, the seat that was written to, and the turn it was then (0: invitation)."""

    game: int
    seat: int
    turn: int


@dataclass(frozen=True)
class HeldToken:
    """What a reply confirms: the number of a mail that is held."""

    mail: int


class Tokens:
    """Writes tokens with one key, and reads those of earlier keys too."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the operator's keys, the one in use first."""
        self._keys = [derive(secret, "reply tokens") for secret in secrets]

    def write(self, token: ReplyToken | HeldToken) -> str:
        """The token as text: 36 lower-case letters and digits."""
        if isinstance(token, HeldToken):
            what = _WHAT.pack(_HELD, token.mail, 0, 0)
        else:
            what = _WHAT.pack(_GAME, token.game, token.turn, token.seat)
        mac = _mac(self._keys[0], what)
        return _encoded(_crossed(self._keys[0], mac, what) + mac)

    def read(self, text: str) -> ReplyToken | HeldToken | None:
        """The token that `write` made this text from; None for every other text. Case does not matter."""
        try:
            # Letters outside ASCII may have one of ours as their other case.
            given = text.encode("ascii").lower()
            read = base64.b32decode(given.upper() + b"=" * (-len(given) % 8))
        except ValueError:
            return None
        if len(read) != _WHAT.size + _MAC_BYTES or _encoded(read) != given.decode():
            return None
        hidden, mac = read[: _WHAT.size], read[_WHAT.size :]
        for key in self._keys:
            # In mails of older servers, what a token says is not encrypted.
            for what in (_crossed(key, mac, hidden), hidden):
                if hmac.compare_digest(_mac(key, what), mac):
                    sort, number, turn, seat = _WHAT.unpack(what)
                    return HeldToken(number) if sort == _HELD else ReplyToken(number, seat, turn)
        return None

    def find(self, recipient: str, answers: Iterable[str]) -> ReplyToken | HeldToken | None:
        """What a mail is about: by the tag of the address to which it came, or else by what it answers.

        `answers` are the ids of the mails that it answers, the last one first. Our own end with a token, which
        helps where a mail program writes to the plain address, or a mail system has dropped the tag.
        """
        tag = tagged(recipient)[1]
        written = [tag] if tag else [each.partition("@")[0].rpartition(".")[2] for each in answers]
        return next((token for text in written if (token := self.read(text)) is not None), None)


def _mac(key: bytes, what: bytes) -> bytes:
    return hmac.digest(key, what, sha256)[:_MAC_BYTES]


def _encoded(token: bytes) -> str:
    return base64.b32encode(token).decode().rstrip("=").lower()


def _crossed(key: bytes, mac: bytes, what: bytes) -> bytes:
    """Encrypt, or decrypt, with a key stream that no other content has, as none has this `mac`."""
    stream = hmac.digest(key, b"stream" + mac, sha256)
    return bytes(one ^ other for one, other in zip(what, stream[: len(what)], strict=True))
