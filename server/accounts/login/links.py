"""Links that log someone in: mailed, good for an hour, for one use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from itsdangerous import BadSignature, Signer, URLSafeSerializer, URLSafeTimedSerializer
from sqlalchemy import update
from sqlmodel import Session, col

from server.accounts import bans, newcomers, players
from server.accounts.newcomers import is_known
from server.accounts.players import identity
from server.store.keys.derivation import derive
from server.store.letters.account import AccountChanged, LoginLink, RegisterLink
from server.store.letters.letter import Letter
from server.store.models import Player
from server.store.outbox import ActionContext

GOOD_FOR = 3600
"""Seconds."""


@dataclass(frozen=True)
class NewPlayer:
    """Somebody who wants to become a player, once they have shown that the address is theirs."""

    email: str
    name: str


@dataclass(frozen=True)
class Watching:
    """A player, and the game or the other player whom they watch, all by their numbers."""

    player: int
    game: int | None
    other: int | None


class Logins:
    """Writes and reads the secret part of links: to log in, register, change an account, get less mail or none.

    What earlier keys signed is read, too.
    """

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the administrator's keys, the one in use first."""
        # The last of a list of keys is the one that signs.
        oldest_first = secrets[::-1]
        self._signer = URLSafeTimedSerializer([derive(secret, "login links") for secret in oldest_first])
        self._change_signer = URLSafeSerializer([derive(secret, "changes") for secret in oldest_first])
        self._undo_signer = URLSafeSerializer([derive(secret, "undo links") for secret in oldest_first])
        self._stop_signer = Signer([derive(secret, "stop links") for secret in oldest_first])
        self._unwatch_signer = URLSafeSerializer([derive(secret, "unwatch links") for secret in oldest_first])

    def write(self, player: Player) -> str:
        """The secret part of a link that logs `player` in; their next login makes it worthless."""
        return self._signer.dumps([identity(player), player.login_serial])

    def write_new(self, new: NewPlayer) -> str:
        """The secret part of a link that registers somebody."""
        return self._signer.dumps([new.email, new.name])

    def write_stop(self, player_id: int) -> str:
        """The secret part of a link that stops all mail to a player; it is good for ever."""
        return self._stop_signer.sign(str(player_id)).decode()

    def write_change(self, change: int, address: str) -> str:
        """The secret part of a link by which a change is confirmed, or cancelled, at an address."""
        return self._change_signer.dumps([change, address])

    def read_change(self, text: str) -> tuple[int, str] | None:
        """Which change, and at which address; None when the link is damaged."""
        try:
            number, address = self._change_signer.loads(text)
        except BadSignature:
            return None
        return number, address

    def write_undo(self, changed: AccountChanged) -> str:
        """The secret part of a link that undoes an account change, for whoever reads the report about it."""
        at = changed.at.isoformat()
        return self._undo_signer.dumps(
            [changed.player, changed.act, changed.what, at, changed.main, changed.removed_logs_in]
        )

    def read_undo(self, text: str) -> AccountChanged | None:
        """The account change that a link undoes; None when the link is damaged."""
        try:
            player, act, what, at, main, removed_logs_in = self._undo_signer.loads(text)
        except BadSignature:
            return None
        return AccountChanged(player, act, what, "", datetime.fromisoformat(at), main, removed_logs_in)

    def read_stop(self, session: Session, text: str) -> Player | None:
        """Whom a link to stop mail is for; None when it is damaged."""
        try:
            return session.get(Player, int(self._stop_signer.unsign(text)))
        except BadSignature:
            return None

    def write_unwatch(self, watching: Watching) -> str:
        """The secret part of a link that ends watching a game or a player; it is good for ever."""
        return self._unwatch_signer.dumps([watching.player, watching.game, watching.other])

    def read_unwatch(self, text: str) -> Watching | None:
        """Who no longer wants to watch what; None when it is damaged."""
        try:
            return Watching(*self._unwatch_signer.loads(text))
        except BadSignature:
            return None

    def read(self, session: Session, text: str) -> Player | NewPlayer | None:
        """Whom the link is for; None when it is damaged, too old or used."""
        try:
            first, second = self._signer.loads(text, max_age=GOOD_FOR)
        except BadSignature:
            return None
        if isinstance(first, str):
            return NewPlayer(first, second)
        player = session.get(Player, first)
        return player if player is not None and player.login_serial == second else None


def spend(session: Session, player: Player) -> bool:
    """Make all links written for `player` so far worthless; False when another login did so in the meantime."""
    first = (
        update(Player)
        .where(col(Player.id) == player.id, col(Player.login_serial) == player.login_serial)
        .values(login_serial=player.login_serial + 1)
        .returning(col(Player.id))
    )
    return session.execute(first).first() is not None


MOST_LINKS = 5
"""Links to log in or to become a player: mailed to a player in an hour, to anyone else in a day."""


def mail_login(action: ActionContext, email: str, player: Player | None, answers: str = "") -> None:
    """Mail a login link, unless the address had enough. For addresses that cannot log in, only seem to."""
    if _had_enough(action, email, LoginLink, player):
        return
    unheard = players.wants_nothing(player) or bans.is_unheard(action.session, email)
    if player is None or unheard or not players.logs_in_from(action.session, player, email):
        action.put_nothing(email, LoginLink)
    else:
        action.put(email, LoginLink(players.identity(player)), answers=answers)


def mail_registration(action: ActionContext, email: str, name: str, player: Player | None) -> None:
    """Mail a link that makes somebody a player, unless the address had enough; to a player a link to log in.

    If they want no mail, or may not become a player, only seem to. The same is counted for all of them.
    """
    is_player, admitted = is_known(player), newcomers.admits(action.session, email, player)
    if _had_enough(action, email, LoginLink if is_player else RegisterLink, player):
        return
    if is_player or players.wants_nothing(player) or not admitted:
        action.put_nothing(email, RegisterLink)
    else:
        action.put(email, RegisterLink(email, name))
    mail_login(replace(action, origin=None, doubtful=True), email, player if is_player else None)


def _had_enough(action: ActionContext, email: str, letter: type[Letter], player: Player | None) -> bool:
    within = timedelta(hours=1 if is_known(player) else 24)
    return action.recent(email, letter, within) >= MOST_LINKS
