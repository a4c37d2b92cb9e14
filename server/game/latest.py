"""The latest of several games that follow one another, locked."""

from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from server.store.db import locked
from server.store.models import Game


def lock_latest(session: Session, query: SelectOfScalar[Game]) -> Game:
    """Lock the game that `query` finds: another may have followed it until it is."""
    while True:
        number = session.exec(query).one().id
        game = locked(session, Game, number)
        if game is not None and session.exec(query).one().id == number:
            return game
