"""The letters in which the computer says what it thinks of a game."""

from dataclasses import dataclass, replace

from rules import driver
from rules.game import Json
from server.game import log
from server.game.hints import Hint
from server.outbound.letters.drafts import Draft, Sources, draft_of
from server.store.letters.letter import Letter


@dataclass(frozen=True)
class Hinted(Letter):
    """A move that the computer would make, and why."""

    is_answer = True

    hint: Json
    """As `Hint` writes it."""
    position: Json
    """The position for which it is given, as the rules write it."""
    turn: int


@draft_of.register
def hinted(letter: Hinted, sources: Sources) -> Draft:
    rules, hint = log.rules_of(sources.game), Hint.from_json(letter.hint)
    before = rules.read(sources.game.options, letter.position)
    move = rules.parse(before, sources.seat, hint.best.move)
    if rules.simultaneous:
        board = sources.board(before, plan=move)
    else:
        step = driver.play(rules, before, {sources.seat: move})
        board = sources.board(step.after, step=step)
    draft = sources.draft(answers=letter.turn, board=board, hint=hint, turn=letter.turn)
    return replace(draft, preview=f"A hint: {hint.best.move}")
