"""The letters in which the computer says what it thinks of a game."""

from dataclasses import dataclass, replace

from rules import driver
from rules.analysis.hints import Hint
from rules.game import Json
from server.game.computer import inquiries
from server.game.log import log
from server.game.views import game_view
from server.game.views.analysis import assessment_view
from server.outbound.letters.context import Draft, Sources
from server.outbound.letters.subjects import preview
from server.store.letters.letter import Letter

_MOST_ROWS = 40
"""Turns of a game whose shares are listed; of longer games every second one, every third, and so on."""


@dataclass(frozen=True)
class Hinted(Letter):
    """A move that the computer would make, and why."""

    is_answer = True

    hint: Json
    """As `Hint` writes it."""
    position: Json
    """The position for which it is given, as the rules write it."""
    turn: int

    def draft(self, sources: Sources) -> Draft:
        rules, hint = log.rules_of(sources.game), Hint.from_json(self.hint)
        before = rules.read(sources.game.options, self.position)
        move = rules.parse(before, sources.seat, hint.best.move)
        if rules.simultaneous:
            board = sources.board(before, plan=move)
        else:
            step = driver.play(rules, before, {sources.seat: move})
            board = sources.board(step.after, step=step)
        draft = sources.draft(answers=self.turn, board=board, hint=hint, turn=self.turn)
        return replace(draft, preview=f"A hint: {hint.best.move}")


@dataclass(frozen=True)
class GameAssessed(Letter):
    """How a game that is over went, as the computer sees it; for a player, or anybody who may see it."""

    is_answer = True

    def draft(self, sources: Sources) -> Draft:
        game, seat = sources.game, None if sources.about is None else sources.about.seat
        view = game_view.game_view(sources.session, sources.sealer, game, seat)
        found = inquiries.assessment_of(sources.session, game)
        if found is None:
            raise LookupError("nobody has found out how this game went")
        assessed = assessment_view(found, [each.label for each in view.seats], game.result).thinned(_MOST_ROWS)
        return Draft(
            view.subject,
            {"view": view, "assessed": assessed},
            None if seat is None else sources.reply(game.turn),
            (view.entries, view.head),
            preview(f"How {view.title} {view.number} went.", view.result),
        )
