"""Links to log in, or to become a player: mailed to whoever asks for them, by mail or on the web."""

from dataclasses import replace
from datetime import timedelta

from server.accounts import bars, players, registration
from server.accounts.strangers import is_known
from server.store.letters.account import LoginLink, RegisterLink
from server.store.letters.letter import Letter
from server.store.models import Player
from server.store.outbox import Action

MOST_LINKS = 5
"""Links to log in or to become a player: mailed to a player in an hour, to anyone else in a day."""


def mail_login(action: Action, email: str, player: Player | None, answers: str = "") -> None:
    """Mail a login link, unless the address had enough. For addresses that cannot log in, only seem to."""
    if _had_enough(action, email, LoginLink, player):
        return
    unheard = players.wants_nothing(player) or bars.is_unheard(action.session, email)
    if player is None or unheard or not players.logs_in_from(action.session, player, email):
        action.put_nothing(email, LoginLink)
    else:
        action.put(email, LoginLink(players.identity(player)), answers=answers)


def mail_registration(action: Action, email: str, name: str, player: Player | None) -> None:
    """Mail a link that makes somebody a player, unless the address had enough; to a player a link to log in.

    If they want no mail, or may not become a player, only seem to. The same is counted for all of them.
    """
    is_player, admitted = is_known(player), registration.admits(action.session, email, player)
    if _had_enough(action, email, LoginLink if is_player else RegisterLink, player):
        return
    if is_player or players.wants_nothing(player) or not admitted:
        action.put_nothing(email, RegisterLink)
    else:
        action.put(email, RegisterLink(email, name))
    mail_login(replace(action, origin=None, doubtful=True), email, player if is_player else None)


def _had_enough(action: Action, email: str, letter: type[Letter], player: Player | None) -> bool:
    within = timedelta(hours=1 if is_known(player) else 24)
    return action.recent(email, letter, within) >= MOST_LINKS
