"""Signed tokens in reply addresses `NAME+TOKEN@DOMAIN`, in Message-IDs and in return paths.

A token identifies the target of a reply. It is signed, and encrypted because anyone who sees the numbers of
emails could count how many others wrote in between. The end of a Message-ID identifies the same target under
another key: it is visible in every answer and forward, and must not reveal the address.

Tokens are in the local part of an address, which may lose its case and has at most 64 characters; libraries
for signed tokens depend on case. So a token is the base32 of twelve bytes of content and ten bytes of
HMAC-SHA256, which also gives the key stream that encrypts the twelve bytes. A return path has less room: after
`bounces-` come twelve bytes of a key and eight of HMAC.
"""

import base64
import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mail.addresses import tagged
from server.store.keys.derivation import derive

_WHAT = struct.Struct(">BQHB")
_MAC_BYTES = 10
_KEY_BYTES, _RETURN_BYTES = 12, 8
_GAME, _CONFIRMATION = 1, 2
_GAME_BITS = 48
"""The bits of the number of a game; the mark of the board is above them."""
LENGTH = 36
"""Length of a token in an address, in characters."""
_DIGITS = str.maketrans("abcdefghijklmnopqrstuvwxyz234567", "0123456789abcdefghijklmnopqrstuv")
"""Translates base32 into the digits that `int` reads."""
_SPARE_BITS = 5 * LENGTH - 8 * (_WHAT.size + _MAC_BYTES)
"""The unused bits of the last character of a token; they are 0."""


@dataclass(frozen=True)
class ReplyToken:
    """The target of a reply: a game, the seat of its sender, and the turn (0: invitation).

    `mark` identifies the board that its sender saw, in 16 bits (`game.play.target`); 0 if it is unknown.
    """

    game: int
    seat: int
    turn: int
    mark: int = 0


@dataclass(frozen=True)
class ConfirmationToken:
    """The target of a confirmation: the number of an incoming email that its sender has to confirm."""

    mail: int


class TokenSigner:
    """Writes tokens with the current key, and reads tokens of all keys."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the administrator's keys, the current one first."""
        self._of_addresses = [_Key(derive(secret, "reply tokens")) for secret in secrets]
        self._of_ids = [_Key(derive(secret, "message ids")) for secret in secrets]
        self._of_returns = [_Key(derive(secret, "return paths")) for secret in secrets]

    def write(self, token: ReplyToken | ConfirmationToken) -> str:
        """Return the token for an address: 36 lower-case letters and digits."""
        return _written(self._of_addresses[0], token)

    def write_id(self, token: ReplyToken | ConfirmationToken) -> str:
        """Return the token for the end of a Message-ID, with the same length."""
        return _written(self._of_ids[0], token)

    def read(self, text: str) -> ReplyToken | ConfirmationToken | None:
        """Return the token of a text that `write` returned, in any case; None for every other text."""
        return _read(self._of_addresses, text)

    def starting_at(self, run: str, starts: Iterable[int]) -> Iterator[int]:
        """Yield the `starts` in a run of lower-case base32 at which a token begins that `read` accepts.

        At least as many letters and digits as a token has must follow each start.
        """
        digits, known = run.translate(_DIGITS), dict[int, bool]()
        for start in starts:
            number = int(digits[start : start + LENGTH], 32)
            if number % (1 << _SPARE_BITS):
                continue
            if number not in known:
                token = (number >> _SPARE_BITS).to_bytes(_WHAT.size + _MAC_BYTES)
                known[number] = _opened(self._of_addresses, token) is not None
            if known[number]:
                yield start

    def addressed(self, recipient: str, others: Iterable[str]) -> str:
        """Return the address with the token to which an email received at `recipient` was sent.

        Some mail systems drop the tag; then one of the addresses in the header, `others`, has it.
        """
        if tagged(recipient)[1]:
            return recipient
        return next((other for other in others if self.read(tagged(other)[1]) is not None), recipient)

    def find(self, address: str, answers: Iterable[str]) -> ReplyToken | ConfirmationToken | None:
        """Return the target of an email from the tag of its recipient or, without a tag, from its references.

        `answers` are the Message-IDs that it answers, the last one first. They help if an email program replies
        to the plain address.
        """
        tag = tagged(address)[1]
        if tag:
            return self.read(tag)
        ends = (each.partition("@")[0].rpartition(".")[2] for each in answers)
        return next((token for end in ends if (token := _read(self._of_ids, end)) is not None), None)

    def write_return(self, key: str) -> str:
        """Return 32 letters and digits for the return path of the email with a key of 24 hexadecimal digits."""
        what = bytes.fromhex(key)
        return _encoded(what + self._of_returns[0].digest(what)[:_RETURN_BYTES])

    def read_return(self, text: str) -> str:
        """Return the key of a text that `write_return` returned; "" for other texts."""
        read = _decoded(text)
        if read is None or len(read) != _KEY_BYTES + _RETURN_BYTES:
            return ""
        what, mac = read[:_KEY_BYTES], read[_KEY_BYTES:]
        good = (each.digest(what)[:_RETURN_BYTES] for each in self._of_returns)
        return what.hex() if any(hmac.compare_digest(each, mac) for each in good) else ""


class _Key:
    """A key for HMAC-SHA256."""

    def __init__(self, key: bytes) -> None:
        # Copying this takes half as long as `hmac.digest`, which also lets other threads run each time.
        self._keyed = hmac.new(key, digestmod="sha256")

    def digest(self, content: bytes) -> bytes:
        """Return the HMAC of a content."""
        keyed = self._keyed.copy()
        keyed.update(content)
        return keyed.digest()

    def mac(self, content: bytes) -> bytes:
        """Return the first bytes of the HMAC, as tokens contain them."""
        return self.digest(content)[:_MAC_BYTES]


def _written(key: _Key, token: ReplyToken | ConfirmationToken) -> str:
    if isinstance(token, ConfirmationToken):
        what = _WHAT.pack(_CONFIRMATION, token.mail, 0, 0)
    else:
        what = _WHAT.pack(_GAME, token.mark << _GAME_BITS | token.game, token.turn, token.seat)
    mac = key.mac(what)
    return _encoded(_crossed(key, mac, what) + mac)


def _read(keys: Iterable[_Key], text: str) -> ReplyToken | ConfirmationToken | None:
    read = _decoded(text)
    if read is None or len(read) != _WHAT.size + _MAC_BYTES:
        return None
    return _opened(keys, read)


def _opened(keys: Iterable[_Key], token: bytes) -> ReplyToken | ConfirmationToken | None:
    hidden, mac = token[: _WHAT.size], token[_WHAT.size :]
    for key in keys:
        what = _crossed(key, mac, hidden)
        # Most other texts fail on the first byte and need no second HMAC; a message may contain thousands.
        if what[0] in (_GAME, _CONFIRMATION) and hmac.compare_digest(key.mac(what), mac):
            sort, number, turn, seat = _WHAT.unpack(what)
            if sort == _CONFIRMATION:
                return ConfirmationToken(number)
            mark, game = divmod(number, 1 << _GAME_BITS)
            return ReplyToken(game, seat, turn, mark)
    return None


def _decoded(text: str) -> bytes | None:
    """Return the bytes of a text from `_encoded`, in any case; None for every other text."""
    try:
        # Some non-ASCII letters become ASCII letters in the other case.
        given = text.encode("ascii").lower()
        read = base64.b32decode(given.upper() + b"=" * (-len(given) % 8))
    except ValueError:
        return None
    return read if _encoded(read) == given.decode() else None


def _encoded(token: bytes) -> str:
    return base64.b32encode(token).decode().rstrip("=").lower()


def _crossed(key: _Key, mac: bytes, what: bytes) -> bytes:
    """Encrypt or decrypt with a key stream that depends on `mac`, which is unique for each content."""
    stream = key.digest(b"stream" + mac)[: len(what)]
    return (int.from_bytes(what) ^ int.from_bytes(stream)).to_bytes(len(what))
