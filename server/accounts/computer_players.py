"""The rows of the five computer players in the database."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from server.accounts import players
from server.accounts.computer_characters import ANY, COMPUTER_PLAYERS, USUAL, ComputerPlayer, is_kept
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
    """Create the computer players that do not exist yet; another process may do so at the same moment."""
    present = {player.strength for player in members(session)}
    for computer in COMPUTER_PLAYERS:
        if computer.level not in present:
            new = players.new_player(computer.name, now)
            new.computer, new.strength, new.confirmed_at = True, computer.level, now
            row = db.inserting(session, Player).values(new.model_dump(exclude={"id"}))
            session.execute(row.on_conflict_do_nothing())


def are_complete(session: Session) -> bool:
    """Return whether all five computer players exist."""
    return len(members(session)) == len(COMPUTER_PLAYERS)


def list_computers(session: Session) -> list[ComputerPlayer]:
    """Return all five computer players, the weakest first, with their names on this server."""
    names = {player.strength: player.name for player in members(session)}
    return [replace(each, name=names.get(each.level, each.name)) for each in COMPUTER_PLAYERS]


def computer_player_of(player: Player) -> ComputerPlayer | None:
    """Return the computer player of a row; None for people."""
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
    """Return the computer player of this name, or None; “computer” is the default one."""
    if is_kept(name) and not are_complete(action.session):
        create_missing(action.session, action.now)
    if name.casefold() == ANY:
        return computer(action)
    found = players.by_name(action.session, name)
    return found if found is not None and found.computer else None


def computer(action: ActionContext) -> Player:
    """Return the default computer player."""
    return member(action, USUAL)


def members(session: Session) -> list[Player]:
    """Return all computer players, in no order."""
    found = select(Player).where(col(Player.strength) > 0)  # for IS NOT NULL, SQLite reads all players
    return once(session, "computer players", None, lambda: list(session.exec(found)))
