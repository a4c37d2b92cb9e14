"""How much may be mailed to people because of others: so much that nobody honest meets it, and no more."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import and_, col, func, or_, select

from server.commands import Command
from server.errors import BadRequest
from server.models import Game, Player, Seat
from server.outbox import Post

MOST_NEWCOMERS = 50
"""Invitations that a player has open with people who have never done anything here themselves: newcomers."""
MOST_TO_NEWCOMER = 3
"""Of those, to the same one."""
MOST_FOR_NEWCOMER = 10
"""Invitations that a newcomer is mailed by all players together."""
MOST_TO_PLAYER = 10
"""Invitations that a player has open with another who has done something here before."""
MOST_A_DAY = 40
"""People whom a player challenges in a day and who have not accepted."""
MOST_NEWCOMERS_A_DAY = 20
"""Of those, newcomers."""
MOST_COMMANDS = 30
"""In one mail, but for moves."""
MOST_IN_A_MAIL = {"challenge": 5, "rules": 3, "try": 10}
"""Of certain commands in one mail: each of these has long mails sent, or mails to others."""
MOST_LINKS = 5
"""To log in or to become a player: mailed to a player in an hour, to anybody else in a day."""
_REMEMBERED = timedelta(days=30)
"""Invitations that were taken back or declined count so long, or one could send them without end."""


def check_challenge(post: Post, challenger: Player, others: Sequence[Player]) -> None:
    """Raise BadRequest when some of the others are asked often enough, or the challenger has asked enough."""
    for other in others:
        if not other.computer:
            _check_asked(post, challenger, other)
    newcomers = sum(other.confirmed_at is None for other in others)
    _check_day(post, challenger, len([other for other in others if not other.computer]), newcomers)
    if newcomers and _newcomers_asked(post, challenger) + newcomers > MOST_NEWCOMERS:
        raise BadRequest(
            f"You have invited {MOST_NEWCOMERS} people who have never been here. You can invite more when some "
            "of them have accepted."
        )


def check_commands(commands: Sequence[Command]) -> None:
    """Raise BadRequest when one mail asks for too much; what is asked for twice counts once where it can."""
    asked = [command for command in commands if command.word not in ("move", "if")]
    if len(asked) > MOST_COMMANDS:
        raise BadRequest(
            f"Your mail has {len(asked)} commands, and one mail may have {MOST_COMMANDS}. Send some in another "
            "mail."
        )
    for word, most in MOST_IN_A_MAIL.items():
        alike = [str(command).lower() for command in asked if command.word == word]
        many = len(alike) if word == "challenge" else len(set(alike))
        if many > most:
            raise BadRequest(
                f"Your mail has {many} lines with “{'?' if word == 'try' else word}”, and one mail may have "
                f"{most}. Send some in another mail."
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


def _check_day(post: Post, challenger: Player, people: int, newcomers: int) -> None:
    """Raise BadRequest when a player has challenged enough people today."""
    if not people:
        return
    query = select(Game.asked, Player.confirmed_at).where(
        Seat.game_id == Game.id,
        Seat.player_id == Player.id,
        col(Player.id) != challenger.id,
        col(Player.computer).is_(False),
        col(Seat.accepted).is_(False),
        col(Game.created_at) > post.now - timedelta(days=1),
        col(Game.id).in_(select(Seat.game_id).where(Seat.player_id == challenger.id)),
    )
    known = [
        confirmed is not None for asked, confirmed in post.session.exec(query) if asked[0] == challenger.id
    ]
    if len(known) + people > MOST_A_DAY:
        raise BadRequest(f"You can challenge {MOST_A_DAY} people a day who do not accept; go on tomorrow.")
    if newcomers and known.count(False) + newcomers > MOST_NEWCOMERS_A_DAY:
        raise BadRequest(
            f"You can challenge {MOST_NEWCOMERS_A_DAY} people a day who have never been here; go on tomorrow."
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
        # At place 0 is the challenger, who may not have given his words for luck yet.
        or_(col(mine.accepted).is_(True), mine.number == 0),
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
