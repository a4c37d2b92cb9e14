"""The differences between a counter-offer and the game that it replaces."""

from sqlmodel import Session, select

from server.game.log.log import rules_of
from server.game.terms.terms import usual
from server.store.models import Game, Json


def changes(session: Session, game: Game) -> tuple[str, ...]:
    """Return the changes of a counter-offer, as options are written: "time 1d instead of 3d".

    Return () for any other game, and once the game has started.
    """
    if game.counter_of is None or game.state != "invited":
        return ()
    before = session.get_one(Game, game.counter_of)
    old, new = _agreed(before), _agreed(game)
    return tuple(f"{name} {value} instead of {old[name]}" for name, value in new.items() if value != old[name])


def counter_to(session: Session, game: Game) -> int | None:
    """Return the number of the counter-offer that replaces this game; None if there is none."""
    if game.state != "declined":
        return None
    return session.exec(select(Game.id).where(Game.counter_of == game.id)).first()


def _agreed(game: Game) -> Json:
    """Return all options, those of the rules and those of the terms."""
    return {**game.options, **usual(simultaneous=rules_of(game).simultaneous), **game.terms}
