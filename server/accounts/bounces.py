"""Suspend email to players whose address bounces; an email from the address ends that."""

from datetime import datetime, timedelta

from sqlmodel import Session

from server.accounts import players
from server.store.letters.letter import Letter
from server.store.models import Player
from server.store.outbox import ActionContext

WINDOW = timedelta(days=14)
"""Bounces further apart than this do not add up."""
SUSPENDED_AT = 5
"""The points at which email to an address is suspended."""
HARD, SOFT = 5, 1
"""Points for a permanent and for a temporary bounce."""
STANDS = timedelta(hours=1)
"""The time after which a repeated refusal counts: mail servers may refuse by mistake for a while."""


def returned(session: Session, now: datetime, player: Player, *, hard: bool) -> None:
    """Record a returned email; the first one always counts as a temporary bounce."""
    known = player.bounced_at is not None and STANDS <= now - player.bounced_at <= WINDOW
    bounced(session, now, player, hard=hard and known)


def bounced(session: Session, now: datetime, player: Player, *, hard: bool) -> None:
    """Record a lasting refusal of an email to a player; at most one temporary bounce counts per day."""
    if player.bounced_at is None or now - player.bounced_at > WINDOW:
        player.bounce_score, player.bounced_at = 0, now
    elif not hard and player.bounce_score and now - player.bounced_at < timedelta(days=player.bounce_score):
        return
    player.bounce_score += HARD if hard else SOFT
    if player.bounce_score >= SUSPENDED_AT and player.suspended_at is None:
        player.suspended_at = now
    session.add(player)


def heard_from(action: ActionContext, player: Player, news: Letter) -> None:
    """Reset the bounces of a player who has sent an email, and send them `news` if email was suspended."""
    if player.bounced_at is None:
        return
    suspended = player.suspended_at is not None
    player.bounce_score, player.bounced_at, player.suspended_at = 0, None, None
    if suspended:
        action.put_to_player(player, news)


def complained(action: ActionContext, player: Player) -> None:
    """Process a spam complaint by a player: stop all email to them, as the command `stop` does."""
    players.want_nothing(action, player)
    player.complained_at = action.now
