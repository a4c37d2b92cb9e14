"""The five computer players as players of this server: each has a row, as people have."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain, count

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from server.accounts import players
from server.accounts.computer_names import ANY, COMPUTER_PLAYERS, USUAL, ComputerPlayer, is_kept, names_for
from server.store import db
from server.store.db import once, reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext


def ensure_exist(engine: Engine, now: datetime) -> None:
    """Create the computer players if they do not exist yet. Called at process start; usually a no-op."""
    with reading(engine) as session:
        if are_complete(session):
            return
    with writing(engine) as session:
        create_missing(session, now)


def create_missing(session: Session, now: datetime) -> None:
    """Create the computer players that do not exist yet, under other names where theirs are taken."""
    present = {player.strength for player in members(session)}
    for computer in COMPUTER_PLAYERS:
        if computer.level not in present:
            _admit(session, computer, now)


def are_complete(session: Session) -> bool:
    """Return whether all five exist."""
    return len(members(session)) == len(COMPUTER_PLAYERS)


def list_computers(session: Session) -> list[ComputerPlayer]:
    """Return all five from the weakest on, with the names that they have here."""
    names = {player.strength: player.name for player in members(session)}
    return [replace(each, name=names.get(each.level, each.name)) for each in COMPUTER_PLAYERS]


def computer_player_of(player: Player) -> ComputerPlayer | None:
    """Return which of the five a player is; None for people."""
    found = next((each for each in COMPUTER_PLAYERS if each.level == player.strength), None)
    return found and replace(found, name=player.name)


def member(action: ActionContext, level: int) -> Player:
    """Return the computer player of a level. Raise LookupError for an unknown level."""
    query = select(Player).where(Player.strength == level)
    found = action.session.exec(query).first()
    if found is None:
        create_missing(action.session, action.now)
        found = action.session.exec(query).first()
    if found is None:
        raise LookupError(f"there is no computer player of level {level}")
    return found


def by_name(action: ActionContext, name: str) -> Player | None:
    """Return the computer player of this name, or None.

    “computer” is the usual one, unless a player is called so.
    """
    if is_kept(name) and not are_complete(action.session):
        create_missing(action.session, action.now)
    found = players.by_name(action.session, name)
    if found is None and name.casefold() == ANY:
        return computer(action)
    return found if found is not None and found.computer else None


def computer(action: ActionContext) -> Player:
    """Return the usual computer player, who plays where “the computer” is asked for."""
    return member(action, USUAL)


def members(session: Session) -> list[Player]:
    """Return all computer players, in no order."""
    found = select(Player).where(col(Player.strength).is_not(None))
    return once(session, "computer players", None, lambda: list(session.exec(found)))


def _admit(session: Session, computer: ComputerPlayer, now: datetime) -> None:
    """Add one of them by the first name that is free; another process may do so at the same moment."""
    there = select(Player.id).where(Player.strength == computer.level)
    for name in _wanted(computer):
        new = players.new_player(name, now)
        new.computer, new.strength, new.confirmed_at = True, computer.level, now
        row = db.inserting(session, Player).values(new.model_dump(exclude={"id"}))
        session.execute(row.on_conflict_do_nothing())
        if session.exec(there).first() is not None:
            return


def _wanted(computer: ComputerPlayer) -> Iterator[str]:
    own, other = names_for(computer)
    return chain([own, other], (f"{other} {number}" for number in count(2)))
