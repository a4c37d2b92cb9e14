"""What proves a game: its hashes, and what is drawn from its seed. The server and `nabu verify` share it.

`docs/verify.md` explains all of it to people who would rather check with a program of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeGuard

from rules.chance import Chance
from rules.game import Json

_HASH = re.compile("[0-9a-f]{64}")
_NONCE = re.compile("[0-9a-f]{32}")


def canonical(body: Json) -> str:
    """The one text that an entry of a log is hashed as: ASCII, keys in order, no spaces."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def chained(before: str, body: Json) -> str:
    """The hash of an entry after one with the hash `before` ("" for the first)."""
    return sha256(f"{before}\n{canonical(body)}".encode()).hexdigest()


def is_hash(data: object) -> TypeGuard[str]:
    """Whether this is written like a hash, as a seed is, too."""
    return isinstance(data, str) and _HASH.fullmatch(data) is not None


def is_nonce(data: object) -> TypeGuard[str]:
    """Whether this is written like the nonce of an envelope."""
    return isinstance(data, str) and _NONCE.fullmatch(data) is not None


def commitment(nonce: str, game: int, turn: int, seat: int, orders: str) -> str:
    """SHA-256 of the five values in UTF-8, a line break between them; in hexadecimal, like `nonce`."""
    return sha256(f"{nonce}\n{game}\n{turn}\n{seat}\n{orders}".encode()).hexdigest()


def dice_label(game: int, turn: int) -> str:
    """The label that the dice of a turn are drawn from; the players' words follow it."""
    return f"game {game} turn {turn} dice"


@dataclass(frozen=True)
class Seed:
    """32 bytes that everything random in a game is drawn from, and that nobody knows until it is over.

    `luck` are the players' own words, "" for none: because of them, whoever made the seed could not know what
    would be drawn from it. They are listed by seat, except when the seats themselves are drawn: then in the
    order in which the players were named.
    """

    secret: bytes

    @property
    def hash(self) -> str:
        """What is public about it from the first mail on."""
        return sha256(self.secret).hexdigest()

    def seats(self, game: int, client_seeds: Sequence[str]) -> Chance:
        """What the players' seats are drawn from."""
        return self._mixed(f"game {game} seats", client_seeds)

    def layout(self, game: int, client_seeds: Sequence[str]) -> Chance:
        """What the layout at the start is drawn from."""
        return self._mixed(f"game {game} layout", client_seeds)

    def dice(self, game: int, turn: int, client_seeds: Sequence[str]) -> Chance:
        """What the dice of a turn are drawn from."""
        return self._mixed(dice_label(game, turn), client_seeds)

    def _mixed(self, label: str, client_seeds: Sequence[str]) -> Chance:
        return Chance(self.secret, "\n".join([label, *client_seeds]))
