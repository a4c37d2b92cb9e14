"""Deleting an account: what is stored of a player goes, but for the games, which stay under a neutral name."""

from sqlmodel import col, delete, select, update

from server.accounts import access, players
from server.game import channels
from server.game.departing import leave_all
from server.store.models import (
    Address,
    Change,
    Follow,
    Inquiry,
    Outbox,
    Passkey,
    Player,
    Press,
    Relation,
    Seat,
    Staff,
    Variation,
    Watch,
)
from server.store.outbox import Action


def delete_account(action: Action, player: Player) -> None:
    """Have a player leave all games, and forget who they are; what they said in games stays there.

    Nobody can be them again: neither by an address nor by a login or a link from before.
    """
    session, number = action.session, players.identity(player)
    players.want_nothing(action, player)
    leave_all(action, player)
    channels.choose(action, player, "off")
    access.log_out_everywhere(action, player)
    session.flush()
    addresses = players.addresses_of(session, player)
    theirs = select(Seat.game_id).where(Seat.player_id == number, Seat.number == Press.seat)
    for rows in (
        delete(Press).where(col(Press.private), col(Press.game_id).in_(theirs)),
        delete(Variation).where(col(Variation.player_id) == number),
        delete(Inquiry).where(col(Inquiry.player_id) == number),
        delete(Relation).where((col(Relation.player_id) == number) | (col(Relation.other_id) == number)),
        delete(Watch).where(col(Watch.player_id) == number),
        delete(Follow).where((col(Follow.player_id) == number) | (col(Follow.other_id) == number)),
        delete(Staff).where(col(Staff.player_id) == number),
        delete(Outbox).where(col(Outbox.recipient).in_(addresses)),
        delete(Change).where(col(Change.player_id) == number, col(Change.ended_at).is_(None)),
        delete(Passkey).where(col(Passkey.player_id) == number),
        delete(Address).where(col(Address.player_id) == number),
        update(Change).where(col(Change.player_id) == number).values(email=""),
        update(Seat).where(col(Seat.player_id) == number).values(invited_as=""),
    ):
        session.execute(rows)
    players.forget(session, player)
