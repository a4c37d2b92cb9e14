"""Letters with hints and analyses by the computer."""

from dataclasses import replace

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
"""Maximum number of rows in the table of shares; longer games show every second or third turn, and so on."""


class Hinted(Letter):
    """A move suggested by the computer, with reasons."""

    is_answer = True

    hint: Json
    """As `Hint` writes it."""
    position: Json
    """The position of the hint, as the rules write it."""
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


class GameAssessed(Letter):
    """The computer's analysis of a finished game, for a player or a spectator."""

    is_answer = True

    def draft(self, sources: Sources) -> Draft:
        game, seat = sources.game, None if sources.about is None else sources.about.seat
        view = game_view.game_view(sources.session, sources.sealer, game, seat)
        found = inquiries.assessment_of(sources.session, game)
        if found is None:
            raise LookupError("this game has no analysis")
        assessed = assessment_view(found, [each.label for each in view.seats], game.result).thinned(_MOST_ROWS)
        return Draft(
            view.subject,
            {"view": view, "assessed": assessed},
            None if seat is None else sources.reply(game.turn),
            (view.entries, view.head),
            preview(f"Analysis of {view.title} {view.number}.", view.result),
        )
