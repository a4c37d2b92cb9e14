"""What a counter-offer says in place of what, and which game was proposed in place of another."""

from sqlmodel import Session, select

from server.game.log.log import rules_of
from server.game.terms.terms import usual
from server.store.models import Game, Json


def changes(session: Session, game: Game) -> tuple[str, ...]:
    """What a counter-offer changes, as options are written: "time 1d in place of 3d".

    () for any other game, and once it has begun.
    """
    if game.counter_of is None or game.state != "invited":
        return ()
    before = session.get_one(Game, game.counter_of)
    old, new = _agreed(before), _agreed(game)
    return tuple(f"{name} {value} in place of {old[name]}" for name, value in new.items() if value != old[name])


def counter_to(session: Session, game: Game) -> int | None:
    """The number of the game that was proposed in place of this one; None if none was."""
    if game.state != "declined":
        return None
    return session.exec(select(Game.id).where(Game.counter_of == game.id)).first()


def _agreed(game: Game) -> Json:
    """All options, those of the rules and those of the house."""
    return {**game.options, **usual(simultaneous=rules_of(game).simultaneous), **game.terms}
