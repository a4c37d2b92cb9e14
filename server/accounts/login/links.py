"""Links in emails: to log in or sign up (these expire), to change an account, and to get less email."""

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
"""The lifetime of a login link in seconds."""


@dataclass(frozen=True)
class NewPlayer:
    """A person who wants to sign up and has to confirm their address."""

    email: str
    name: str


@dataclass(frozen=True)
class Watching:
    """A player and the game or the other player that they watch, by their numbers."""

    player: int
    game: int | None
    other: int | None


class Logins:
    """Writes the secret parts of links with the current key, and reads those of all keys."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the administrator's keys, the current one first."""
        # `itsdangerous` signs with the last key in a list.
        oldest_first = secrets[::-1]
        self._signer = URLSafeTimedSerializer([derive(secret, "login links") for secret in oldest_first])
        self._change_signer = URLSafeSerializer([derive(secret, "changes") for secret in oldest_first])
        self._undo_signer = URLSafeSerializer([derive(secret, "undo links") for secret in oldest_first])
        self._stop_signer = Signer([derive(secret, "stop links") for secret in oldest_first])
        self._unwatch_signer = URLSafeSerializer([derive(secret, "unwatch links") for secret in oldest_first])

    def write(self, player: Player) -> str:
        """Return the secret part of a link that logs a player in; their next login invalidates it."""
        return self._signer.dumps([identity(player), player.login_serial])

    def write_new(self, new: NewPlayer) -> str:
        """Return the secret part of a sign-up link."""
        return self._signer.dumps([new.email, new.name])

    def write_stop(self, player_id: int) -> str:
        """Return the secret part of a link that stops all email to a player; it never expires."""
        return self._stop_signer.sign(str(player_id)).decode()

    def write_change(self, change: int, address: str) -> str:
        """Return the secret part of a link with which an address confirms or cancels a change."""
        return self._change_signer.dumps([change, address])

    def read_change(self, text: str) -> tuple[int, str] | None:
        """Return the number of a change and the address; None for an invalid link."""
        try:
            number, address = self._change_signer.loads(text)
        except BadSignature:
            return None
        return number, address

    def write_undo(self, changed: AccountChanged) -> str:
        """Return the secret part of a link in a report that undoes the account change."""
        at = changed.at.isoformat()
        return self._undo_signer.dumps(
            [changed.player, changed.act, changed.what, at, changed.main, changed.removed_logs_in]
        )

    def read_undo(self, text: str) -> AccountChanged | None:
        """Return the account change that a link undoes; None for an invalid link."""
        try:
            player, act, what, at, main, removed_logs_in = self._undo_signer.loads(text)
        except BadSignature:
            return None
        return AccountChanged(player, act, what, "", datetime.fromisoformat(at), main, removed_logs_in)

    def read_stop(self, session: Session, text: str) -> Player | None:
        """Return the player of a link that stops email; None for an invalid link."""
        try:
            return session.get(Player, int(self._stop_signer.unsign(text)))
        except BadSignature:
            return None

    def write_unwatch(self, watching: Watching) -> str:
        """Return the secret part of a link that stops watching a game or a player; it never expires."""
        return self._unwatch_signer.dumps([watching.player, watching.game, watching.other])

    def read_unwatch(self, text: str) -> Watching | None:
        """Return the content of a link that stops watching; None for an invalid link."""
        try:
            return Watching(*self._unwatch_signer.loads(text))
        except BadSignature:
            return None

    def read(self, session: Session, text: str) -> Player | NewPlayer | None:
        """Return the player of a login link or the person of a sign-up link; None if invalid or used."""
        try:
            first, second = self._signer.loads(text, max_age=GOOD_FOR)
        except BadSignature:
            return None
        if isinstance(first, str):
            return NewPlayer(first, second)
        player = session.get(Player, first)
        return player if player is not None and player.login_serial == second else None


def spend(session: Session, player: Player) -> bool:
    """Invalidate all login links of a player; return False if another transaction did so first."""
    first = (
        update(Player)
        .where(col(Player.id) == player.id, col(Player.login_serial) == player.login_serial)
        .values(login_serial=player.login_serial + 1)
        .returning(col(Player.id))
    )
    return session.execute(first).first() is not None


MOST_LINKS = 5
"""Maximum number of login or sign-up links, per hour to a player, per day to others."""


def mail_login(action: ActionContext, email: str, player: Player | None, answers: str = "") -> None:
    """Send a login link, unless there were too many. For an address that cannot log in, only pretend to."""
    if _had_enough(action, email, LoginLink, player):
        return
    unheard = players.wants_nothing(player) or bans.is_unheard(action.session, email)
    if player is None or unheard or not players.logs_in_from(action.session, player, email):
        action.put_nothing(email, LoginLink)
    else:
        action.put(email, LoginLink(players.identity(player)), answers=answers)


def mail_registration(action: ActionContext, email: str, name: str, player: Player | None) -> None:
    """Send a sign-up link or, to a player, a login link, unless there were too many.

    Only pretend to if the person has stopped all email or may not sign up. All cases count in the same way.
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
