"""How much people may ask of others: enough that nobody honest hits the limit, and no more."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, or_, select

from server.accounts import bans, players, relations
from server.errors import BadRequest
from server.game.log.display_names import Invited
from server.store.db import count_rows
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

MOST_BY_ADDRESS = 50
"""Open invitations from a player to people whom they named by address, who may be strangers."""
MOST_TO_ADDRESS = 3
"""Of those, to the same address."""
MOST_FOR_ADDRESS = 10
"""Invitations mailed to an address by all the players who named it."""
MOST_TO_PLAYER = 10
"""Open invitations from one player to another whom they named by name."""
MOST_A_DAY = 40
"""People whom a player challenges in a day and who have not accepted."""
MOST_BY_ADDRESS_A_DAY = 20
"""Of those, by their addresses."""
MOST_OPEN = 10
"""Games that a player holds open."""
MOST_JOINS = 20
"""Open games of others that a player joins in a day."""
MOST_WITH_COMPUTERS = 20
"""Games of a player with computer players that go on, before another is begun."""
_REMEMBERED = timedelta(days=30)
"""How long invitations that were taken back or declined count, or one could send them endlessly."""


def check_challenge(action: ActionContext, challenger: Player, others: Sequence[Invited]) -> None:
    """Raise BadRequest if one of the others was asked often enough, or the challenger has asked enough of them.

    An address counts the same whether it is a player's or not; otherwise one could find out.
    """
    people = [other for other in others if not other.player.computer]
    if len(people) < len(others) and plays_computers_enough(action.session, challenger.id):
        raise BadRequest(
            f"{MOST_WITH_COMPUTERS} of your games with computer players go on. You can begin another once one "
            "of them is over."
        )
    for other in people:
        _check_asked(action, challenger, other)
    by_address = sum(bool(other.address) for other in people)
    _check_day(action, challenger, len(people), by_address)
    if by_address and _open_by_address(action, challenger) + by_address > MOST_BY_ADDRESS:
        raise BadRequest(
            f"You have invited {MOST_BY_ADDRESS} people by email address who have not accepted yet. You can "
            "invite more once some of them have."
        )


def plays_computers_enough(session: Session, player: int | None) -> bool:
    """Whether so many games of a player with computer players go on that there should be no more."""
    mine, theirs = aliased(Seat), aliased(Seat)
    a_computer = select(theirs.game_id).where(
        theirs.game_id == mine.game_id, theirs.player_id == Player.id, col(Player.computer)
    )
    running = mine.game_id == Game.id, Game.state == "running", col(mine.over_at).is_(None)
    played = count_rows(session, mine.player_id == player, *running, a_computer.exists())
    return played >= MOST_WITH_COMPUTERS


def check_seek(session: Session, player: Player) -> None:
    """Raise BadRequest if a player holds enough games open."""
    own = Seat.game_id == Game.id, Seat.player_id == player.id, Seat.number == 0
    if count_rows(session, Game.state == "open", *own) >= MOST_OPEN:
        raise BadRequest(
            lambda where: (
                f"{MOST_OPEN} games of yours are open. You can open more once some of them have begun, "
                f"or you have closed one{where.typed(': write leave and its number')}."
            )
        )


def check_join(action: ActionContext, player: Player) -> None:
    """Raise BadRequest if a player has joined enough games today."""
    since = action.now - timedelta(days=1)
    if count_rows(action.session, Seat.player_id == player.id, col(Seat.joined_at) > since) >= MOST_JOINS:
        raise BadRequest(f"You can join {MOST_JOINS} open games a day; you can go on tomorrow.")


def _check_asked(action: ActionContext, challenger: Player, other: Invited) -> None:
    """Raise BadRequest when `other` is asked often enough, by this challenger or by all."""
    most, askers = MOST_TO_ADDRESS if other.address else MOST_TO_PLAYER, _askers(action, other)
    if askers.count(challenger.id) >= most:
        raise BadRequest(
            f"{other.written} has {most} challenges from you still waiting for an answer. You can send more "
            "once one is accepted."
        )
    if other.address and len(askers) >= MOST_FOR_ADDRESS:
        raise BadRequest(
            f"{other.address} already has {MOST_FOR_ADDRESS} invitations, and can be sent more once one is "
            "accepted."
        )


def _check_day(action: ActionContext, challenger: Player, people: int, by_address: int) -> None:
    """Raise BadRequest when a player has challenged enough people today."""
    if not people:
        return
    query = select(Game.asked, Seat.invited_as).where(
        Seat.game_id == Game.id,
        Seat.player_id == Player.id,
        col(Player.id) != challenger.id,
        col(Player.computer).is_(False),
        col(Seat.accepted).is_(False),
        col(Game.created_at) > action.now - timedelta(days=1),
        col(Game.id).in_(select(Seat.game_id).where(Seat.player_id == challenger.id)),
    )
    addresses = [address for asked, address in action.session.exec(query) if asked[0] == challenger.id]
    if len(addresses) + people > MOST_A_DAY:
        raise BadRequest(
            f"You can challenge {MOST_A_DAY} people a day who have not accepted; you can go on tomorrow."
        )
    if by_address and sum(map(bool, addresses)) + by_address > MOST_BY_ADDRESS_A_DAY:
        raise BadRequest(
            f"You can challenge {MOST_BY_ADDRESS_A_DAY} people a day by email address; go on tomorrow, or name "
            "players by their names."
        )


def _askers(action: ActionContext, other: Invited) -> list[int | None]:
    """Who has named someone in the same way as now, once for each invitation that was not accepted.

    An address counts by itself: somebody may have been invited by it for whom another stands in.
    """
    by_address = (Seat.invited_as == other.address, Seat.invited_as != "")
    by_name = (Seat.player_id == other.player.id, Seat.invited_as == "")
    query = select(Game.asked).where(
        Seat.game_id == Game.id,
        *(by_address if other.address else by_name),
        col(Seat.accepted).is_(False),
        _not_begun(action.now),
    )
    return [asked[0] for asked in action.session.exec(query)]


def _open_by_address(action: ActionContext, challenger: Player) -> int:
    """How many invitations by address there are in the games to which a player has said yes."""
    mine, theirs = aliased(Seat), aliased(Seat)
    return count_rows(
        action.session,
        mine.player_id == challenger.id,
        # At place 0 is the challenger, who may not have given their words for luck yet.
        or_(col(mine.accepted).is_(True), mine.number == 0),
        mine.game_id == Game.id,
        theirs.game_id == Game.id,
        col(theirs.accepted).is_(False),
        theirs.invited_as != "",
        _not_begun(action.now),
    )


def _not_begun(now: datetime) -> Any:
    recently = col(Game.created_at) > now - _REMEMBERED
    return or_(col(Game.state) == "invited", and_(col(Game.state) == "declined", recently))


def check(session: Session, challenger: Player, others: Sequence[Invited], title: str, seats: int) -> None:
    """Raise BadRequest unless these can play; the reason says nothing about whose an address is.

    This holds even if someone is named by name and by address, or by two addresses: such a game is proposed,
    and never begins.
    """
    if 1 + len(others) != seats:
        raise BadRequest(
            f"This game of {title} is for {seats} players, you and {seats - 1} more; you named {len(others)}."
        )
    named = [each.address or each.player.id for each in others]
    twice = any(
        players.writes_from(session, challenger, each.address) if each.address else each.player is challenger
        for each in others
    )
    if twice or len(set(named)) != len(named):
        raise BadRequest(
            "Nobody can have two seats in one game: name each of the others once, and not yourself."
        )
    by_name = [each.player for each in others if not each.address]
    stopped = [each.written for each in others if each.player.mail_stopped]
    apart = [other.name for _, other in relations.blocked_pairs(session, [challenger, *by_name])]
    for name in (*stopped, *apart):
        raise BadRequest(f"{name} cannot be challenged to this game.")


def with_stand_ins(action: ActionContext, challenger: Player, others: Sequence[Invited]) -> list[Invited]:
    """The same people; strangers in place of those named by an address who never sit with one of the rest.

    So, too, for addresses from which nobody plays. Refusing would tell whose address it is, or that it is
    blocked. The game is proposed, and never begins: nobody is mailed.
    """
    session = action.session
    everyone = [challenger, *(each.player for each in others)]
    away = {player.id for pair in relations.blocked_pairs(session, everyone) for player in pair}
    return [
        Invited(players.stand_in(action), each.address)
        if each.address and (each.player.id in away or bans.is_unheard(session, each.address))
        else each
        for each in others
    ]
