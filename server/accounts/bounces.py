"""Whether a player's address takes mail: bounces lower its health, a mail from it restores it."""

from datetime import datetime, timedelta

from sqlmodel import Session

from server.accounts import players
from server.store.letters.letter import Letter
from server.store.models import Player
from server.store.outbox import ActionContext

WINDOW = timedelta(days=14)
"""Bounces further apart than this do not add up."""
SUSPENDED_AT = 5
"""Points at which an address is suspended."""
HARD, SOFT = 5, 1
"""Points for a bounce that says never, and for one that says not now."""
STANDS = timedelta(hours=1)
"""A refusal is believed only if it is repeated after this long: servers can be wrong for a while."""


def returned(session: Session, now: datetime, player: Player, *, hard: bool) -> None:
    """Note a report that a mail came back; the first one counts as a soft bounce, whatever it says."""
    known = player.bounced_at is not None and STANDS <= now - player.bounced_at <= WINDOW
    bounced(session, now, player, hard=hard and known)


def bounced(session: Session, now: datetime, player: Player, *, hard: bool) -> None:
    """Note that a mail to a player is refused, and stays so; at most one soft bounce counts a day."""
    if player.bounced_at is None or now - player.bounced_at > WINDOW:
        player.bounce_score, player.bounced_at = 0, now
    elif not hard and player.bounce_score and now - player.bounced_at < timedelta(days=player.bounce_score):
        return
    player.bounce_score += HARD if hard else SOFT
    if player.bounce_score >= SUSPENDED_AT and player.suspended_at is None:
        player.suspended_at = now
    session.add(player)


def heard_from(action: ActionContext, player: Player, news: Letter) -> None:
    """Restore a player who wrote to us; they are mailed the `news` if mail had been suspended."""
    if player.bounced_at is None:
        return
    suspended = player.suspended_at is not None
    player.bounce_score, player.bounced_at, player.suspended_at = 0, None, None
    if suspended:
        action.put_to_player(player, news)


def complained(action: ActionContext, player: Player) -> None:
    """Someone called a mail of ours unwanted: send them no more, as if they had said `stop`."""
    players.want_nothing(action, player)
    player.complained_at = action.now
