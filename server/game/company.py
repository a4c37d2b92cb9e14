"""Who may be challenged together, and who stands in where one must not learn that they may not."""

from collections.abc import Sequence

from sqlmodel import Session

from server.accounts import bars, players, relations
from server.errors import BadRequest
from server.game.invited import Invited
from server.store.models import Player
from server.store.outbox import Action


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
    apart = [other.name for _, other in relations.pairs_apart(session, [challenger, *by_name])]
    for name in (*stopped, *apart):
        raise BadRequest(f"{name} cannot be challenged to this game.")


def with_stand_ins(action: Action, challenger: Player, others: Sequence[Invited]) -> list[Invited]:
    """The same people; strangers in place of those named by an address who never sit with one of the rest.

    So, too, for addresses from which nobody plays. Refusing would tell whose address it is, or that it is
    blocked. The game is proposed, and never begins: nobody is mailed.
    """
    session = action.session
    everyone = [challenger, *(each.player for each in others)]
    away = {player.id for pair in relations.pairs_apart(session, everyone) for player in pair}
    return [
        Invited(players.stand_in(action), each.address)
        if each.address and (each.player.id in away or bars.is_unheard(session, each.address))
        else each
        for each in others
    ]
