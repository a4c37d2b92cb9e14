"""The proof of a game: hashes, and random draws from its seed. The server and `nabu verify` share this module.

`docs/verify.md` explains it to people who want to check with their own program.
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
    """Return the text of which an entry of a log is hashed: JSON in ASCII, keys in order, no spaces.

    For example, an entry with a turn and a seat gives `{"seat":0,"turn":3}`.
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def chained(before: str, body: Json) -> str:
    """Return the hash of an entry whose previous entry has the hash `before`, "" for the first."""
    return sha256(f"{before}\n{canonical(body)}".encode()).hexdigest()


def is_hash(data: object) -> TypeGuard[str]:
    """Return whether a value has the form of a hash; a seed has the same form."""
    return isinstance(data, str) and _HASH.fullmatch(data) is not None


def is_nonce(data: object) -> TypeGuard[str]:
    """Return whether a value has the form of the nonce of sealed orders."""
    return isinstance(data, str) and _NONCE.fullmatch(data) is not None


def commitment(nonce: str, game: int, turn: int, seat: int, orders: str) -> str:
    """Return the commitment to sealed orders: the SHA-256, in hexadecimal, of the five values.

    They are in UTF-8, with a line break between them.
    """
    return sha256(f"{nonce}\n{game}\n{turn}\n{seat}\n{orders}".encode()).hexdigest()


def dice_label(game: int, turn: int) -> str:
    """Return the label that the dice of a turn are drawn from, such as "game 87 turn 3 dice".

    The players' client seeds follow it.
    """
    return f"game {game} turn {turn} dice"


@dataclass(frozen=True)
class Seed:
    """The 32 bytes from which all random results of a game are drawn; secret until the game is over.

    Client seeds, "" for none, are mixed in: so not even the creator of the seed could know what would be drawn
    from it. They are listed by seat, except when the seats themselves are drawn: then in the order in which the
    players were named.
    """

    secret: bytes

    @property
    def hash(self) -> str:
        """The hash of the seed, which is published when the game starts."""
        return sha256(self.secret).hexdigest()

    def seats(self, game: int, client_seeds: Sequence[str]) -> Chance:
        """Return the random source for the players' seats."""
        return self._mixed(f"game {game} seats", client_seeds)

    def layout(self, game: int, client_seeds: Sequence[str]) -> Chance:
        """Return the random source for the layout at the start."""
        return self._mixed(f"game {game} layout", client_seeds)

    def dice(self, game: int, turn: int, client_seeds: Sequence[str]) -> Chance:
        """Return the random source for the dice of a turn."""
        return self._mixed(dice_label(game, turn), client_seeds)

    def _mixed(self, label: str, client_seeds: Sequence[str]) -> Chance:
        return Chance(self.secret, "\n".join([label, *client_seeds]))
