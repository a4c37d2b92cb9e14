"""How much may be mailed to people because of others: so much that nobody honest meets it, and no more."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import and_, col, func, or_, select

from server.errors import BadRequest
from server.models import Game, Outbox, Player, Seat
from server.outbox import Post

MOST_NEWCOMERS = 50
"""Invitations that a player has open with people who have never done anything here themselves: newcomers."""
MOST_TO_NEWCOMER = 3
"""Of those, to the same one."""
MOST_FOR_NEWCOMER = 10
"""Invitations that a newcomer is mailed by all players together."""
MOST_TO_PLAYER = 10
"""Invitations that a player has open with another who has done something here before."""
MOST_LINKS = 5
"""To log in or to become a player: mailed to a player in an hour, to anybody else in a day."""
MOST_STRANGERS = 60
"""Links mailed in an hour to people who want to become players, as somebody says on the web."""
_REMEMBERED = timedelta(days=30)
"""Invitations that were taken back or declined count so long, or one could send them without end."""


def check_challenge(post: Post, challenger: Player, others: Sequence[Player]) -> None:
    """Raise BadRequest when some of the others are asked often enough, or the challenger has asked enough."""
    for other in others:
        if not other.computer:
            _check_asked(post, challenger, other)
    newcomers = sum(other.confirmed_at is None for other in others)
    if newcomers and _newcomers_asked(post, challenger) + newcomers > MOST_NEWCOMERS:
        raise BadRequest(
            f"You have invited {MOST_NEWCOMERS} people who have never been here. You can invite more when some "
            "of them have accepted."
        )


def check_rush(post: Post, plain_address: str) -> None:
    """Raise BadRequest when enough people were mailed links to become players in the last hour."""
    since = post.now - timedelta(hours=1)
    query = select(func.count()).where(
        col(Outbox.letter) == "register_link",
        col(Outbox.created_at) > since,
        # Nothing is due before it was put there, and these columns have an index.
        col(Outbox.state).in_(("queued", "sent", "failed")),
        col(Outbox.due_at) > since,
    )
    if post.session.exec(query).one() >= MOST_STRANGERS:
        raise BadRequest(
            "Too many people want to become players just now, so no link is mailed. Try again in an hour, or "
            f"write a mail to {plain_address} with the line: register NAME"
        )


def _check_asked(post: Post, challenger: Player, other: Player) -> None:
    """Raise BadRequest when `other` is asked often enough, by this challenger or by all."""
    new = other.confirmed_at is None
    most, askers = MOST_TO_NEWCOMER if new else MOST_TO_PLAYER, _askers(post, other)
    if askers.count(challenger.id) >= most:
        raise BadRequest(
            f"{other.name} has {most} challenges of yours that he has not accepted. You can send more when he "
            "has accepted one."
        )
    if new and len(askers) >= MOST_FOR_NEWCOMER:
        raise BadRequest(
            f"{other.name} has never been here and has {MOST_FOR_NEWCOMER} invitations already. He can be sent "
            "more when he has accepted one."
        )


def _askers(post: Post, player: Player) -> list[int | None]:
    """Who has invited a player, by number, once for each invitation that he has not accepted."""
    query = select(Game.asked).where(
        Seat.game_id == Game.id,
        Seat.player_id == player.id,
        col(Seat.accepted).is_(False),
        _not_begun(post.now),
    )
    return [asked[0] for asked in post.session.exec(query)]


def _newcomers_asked(post: Post, challenger: Player) -> int:
    """How many invitations to newcomers there are in the games to which a player has said yes."""
    mine, theirs = aliased(Seat), aliased(Seat)
    query = select(func.count()).where(
        mine.player_id == challenger.id,
        col(mine.accepted).is_(True),
        mine.game_id == Game.id,
        theirs.game_id == Game.id,
        col(theirs.accepted).is_(False),
        theirs.player_id == Player.id,
        col(Player.confirmed_at).is_(None),
        _not_begun(post.now),
    )
    return post.session.exec(query).one()


def _not_begun(now: datetime) -> Any:
    recently = col(Game.created_at) > now - _REMEMBERED
    return or_(col(Game.state) == "invited", and_(col(Game.state) == "declined", recently))
