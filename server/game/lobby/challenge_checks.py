"""Limits on challenges and invitations: high enough for honest players, low enough against abuse."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, or_, select

from rules.errors import BadData
from rules.game import Rules
from server.accounts import bans, players, relations
from server.errors import BadRequest, Impossible
from server.game.log.display_names import Invited
from server.store.db import count_rows
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from server.wording import Wording

MOST_BY_ADDRESS = 50
"""The most open invitations of a player to people invited by address, who may be strangers."""
MOST_TO_ADDRESS = 3
"""The most of those to one address."""
MOST_FOR_ADDRESS = 10
"""The most open invitations to one address from all players together."""
MOST_TO_PLAYER = 10
"""The most open invitations from one player to another who was challenged by name."""
MOST_A_DAY = 40
"""The most people whom a player can challenge in a day and who have not accepted."""
MOST_BY_ADDRESS_A_DAY = 20
"""The most of those by address."""
MOST_OPEN = 10
"""The most open games of a player."""
MOST_JOINS = 20
"""The most open games of others that a player can join in a day."""
MOST_WITH_COMPUTERS = 20
"""The most running games of a player with computer players."""
_REMEMBERED = timedelta(days=30)
"""How long withdrawn and declined invitations count; otherwise a player could send any number of them."""


def check_challenge(action: ActionContext, challenger: Player, others: Sequence[Invited]) -> None:
    """Raise BadRequest if a limit on challenges to one person, or by one player, is reached.

    An address counts the same whether or not it belongs to a player; otherwise the limit would reveal that.
    """
    people = [other for other in others if not other.player.computer]
    if len(people) < len(others) and plays_computers_enough(action.session, challenger.id):
        raise BadRequest(
            f"You have {MOST_WITH_COMPUTERS} running games with computer players. You can start another "
            "once one of them is over."
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
    """Return whether a player already plays as many games against computer players as one player may."""
    mine, theirs = aliased(Seat), aliased(Seat)
    a_computer = select(theirs.game_id).where(
        theirs.game_id == mine.game_id, theirs.player_id == Player.id, col(Player.computer)
    )
    running = mine.game_id == Game.id, Game.state == "running", col(mine.over_at).is_(None)
    played = count_rows(session, mine.player_id == player, *running, a_computer.exists())
    return played >= MOST_WITH_COMPUTERS


def check_seek(session: Session, player: Player) -> None:
    """Raise BadRequest if a player already has as many open games as one player may."""
    own = Seat.game_id == Game.id, Seat.player_id == player.id, Seat.number == 0
    if count_rows(session, Game.state == "open", *own) >= MOST_OPEN:
        raise BadRequest(
            lambda where: (
                f"You have {MOST_OPEN} open games. You can open more once some of them have started, "
                f"or you have closed one{where.typed(': write leave and its number')}."
            )
        )


def check_join(action: ActionContext, player: Player) -> None:
    """Raise BadRequest if a player has already joined as many games today as one player may."""
    since = action.now - timedelta(days=1)
    if count_rows(action.session, Seat.player_id == player.id, col(Seat.joined_at) > since) >= MOST_JOINS:
        raise Impossible(f"You can join at most {MOST_JOINS} open games a day. Try again tomorrow.")


def _check_asked(action: ActionContext, challenger: Player, other: Invited) -> None:
    """Raise BadRequest if `other` has too many invitations from this challenger, or from all players."""
    most, askers = MOST_TO_ADDRESS if other.address else MOST_TO_PLAYER, _askers(action, other)
    if askers.count(challenger.id) >= most:
        raise BadRequest(
            f"{other.written} has not accepted {most} challenges from you. You can send more "
            "once one is accepted."
        )
    if other.address and len(askers) >= MOST_FOR_ADDRESS:
        raise BadRequest(
            f"{other.address} already has {MOST_FOR_ADDRESS} invitations. You can invite it once one "
            "of them is accepted."
        )


def _check_day(action: ActionContext, challenger: Player, people: int, by_address: int) -> None:
    """Raise BadRequest if a player has challenged too many people today."""
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
        raise Impossible(
            f"You can challenge at most {MOST_A_DAY} people a day who have not accepted. Try again tomorrow."
        )
    if by_address and sum(map(bool, addresses)) + by_address > MOST_BY_ADDRESS_A_DAY:
        raise BadRequest(
            f"You can challenge at most {MOST_BY_ADDRESS_A_DAY} people a day by email address. Try again "
            "tomorrow, or challenge players by name."
        )


def _askers(action: ActionContext, other: Invited) -> list[int | None]:
    """Return the players who have invited someone in the same way as now, once for each open invitation.

    An address counts by itself, even if a stand-in was invited in place of its owner.
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
    """Return the number of open invitations by address in games that a player has accepted."""
    mine, theirs = aliased(Seat), aliased(Seat)
    return count_rows(
        action.session,
        mine.player_id == challenger.id,
        # Place 0 is the challenger, who may still have to give their words for luck.
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


def check(
    session: Session, challenger: Player, others: Sequence[Invited], rules: Rules[Any, Any], seats: int
) -> None:
    """Raise BadRequest if the challenger and the invited players cannot play this game together.

    A wrong number of players, a player who is named twice, and a blocked player are refused. The reason does
    not reveal the owner of an address. So one person may be invited by name and by address, or by two
    addresses: that game is proposed, and never starts.
    """
    if not others:
        raise BadRequest(
            lambda where: (
                "Write a name or an email address, or "
                + ("choose “Anyone”." if where.labels else "open the game to others.")
            )
        )
    if 1 + len(others) != seats:
        raise BadRequest(partial(_wrong_number, rules, seats, len(others)))
    named = [each.address or each.player.id for each in others]
    twice = any(
        players.writes_from(session, challenger, each.address) if each.address else each.player is challenger
        for each in others
    )
    if twice or len(set(named)) != len(named):
        raise BadRequest(
            "A player can only have one seat in a game: name each opponent once, and not yourself."
        )
    by_name = [each.player for each in others if not each.address]
    stopped = [each.written for each in others if each.player.mail_stopped]
    apart = [other.name for _, other in relations.blocked_pairs(session, [challenger, *by_name])]
    for name in (*stopped, *apart):
        raise BadRequest(f"{name} cannot be challenged to this game.")


def with_stand_ins(action: ActionContext, challenger: Player, others: Sequence[Invited]) -> list[Invited]:
    """Return the invited players, with stand-ins for addresses whose owner never plays with one of the others.

    This also applies to addresses that the server does not write to. A refusal would reveal the owner of the
    address, or that it is blocked. So the game is proposed, but the stand-in gets no invitation and it never
    starts.
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


def _wrong_number(rules: Rules[Any, Any], seats: int, named: int, where: Wording) -> str:
    """Return the sentence about a wrong number of named players, with the ways to correct it."""
    others = seats - 1
    ways = [f"name {others - named} more" if named < others else f"name only {others}"]
    ways += [f"choose {where.option(*option)}" for option in _options_for(rules, 1 + named)]
    return (
        f"This game of {rules.title} is for {seats} players: you and {others} more, not {named}. "
        f"You can {' or '.join(ways)}."
    )


def _options_for(rules: Rules[Any, Any], seats: int) -> Iterator[tuple[str, str]]:
    """Yield each option that decides about the number of players, with its value for this number."""
    for name, option in rules.offered.items():
        found: dict[int, str] = {}
        for value in option.values:
            with suppress(BadData):  # some values need other options, too
                found[len(rules.seats(rules.options({name: value})))] = str(value)
        if len(found) > 1 and seats in found:
            yield name, found[seats]
