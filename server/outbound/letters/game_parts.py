"""Letters that show a part of a game on request: the board, its history, moves, rules and so on."""

from dataclasses import replace

from mail.outgoing.composing import Attachment
from rules import driver
from rules.game import Json
from rules.records import verification
from rules.registry import rules_named
from rules.sentences import SeatNames
from server.game.log import log, randomness
from server.game.views import game_view, history
from server.outbound.letters import rulebook
from server.outbound.letters.context import Draft, Sources
from server.settings import ROOT
from server.store.letters.letter import Letter

_MOST_MOVES = 200


class Show(Letter):
    """The current board and paused clocks; with `given`, a confirmation that the receiver gave more time."""

    is_answer = True
    shows_state = True

    given: bool = False

    def draft(self, sources: Sources) -> Draft:
        still = game_view.paused_seats(sources.session, sources.game, sources.view, sources.now)
        return sources.draft(still=still, given=self.given)


class History(Letter):
    """All turns so far, and time credits."""

    is_answer = True
    shows_state = True

    def draft(self, sources: Sources) -> Draft:
        session, game, view = sources.session, sources.game, sources.view
        turns = history.turns(session, game, [seat.name for seat in view.seats], sources.seat)
        credits = history.credits(session, game, [seat.label for seat in view.seats], view.zone)
        return sources.draft(turns=turns, credits=credits)


class Moves(Letter):
    """The legal moves of the receiver."""

    is_answer = True
    shows_state = True

    def draft(self, sources: Sources) -> Draft:
        rules, game = log.rules_of(sources.game), sources.game
        randomness.rebuild_if_damaged(sources.sealer, game, log.seats(sources.session, game))
        listing = rules.listing(log.position_of(game), limit=_MOST_MOVES + 1) if game.state == "running" else []
        if isinstance(listing, dict):
            orders = listing.get(str(sources.seat), {})
            return sources.draft(table=[(name, ", ".join(each)) for name, each in orders.items()], moves=())
        mine = listing if sources.view.my_turn else []
        return sources.draft(table=(), moves=mine[:_MOST_MOVES], more=len(mine) > _MOST_MOVES)


class Preview(Letter):
    """A preview of a move or of orders."""

    is_answer = True

    move: str
    position: Json
    """The position before it, as the rules write it."""
    turn: int

    def draft(self, sources: Sources) -> Draft:
        rules = log.rules_of(sources.game)
        before = rules.read(sources.game.options, self.position)
        move = rules.parse(before, sources.seat, self.move)
        if rules.simultaneous:
            board, story = sources.board(before, plan=move), []
        else:
            step = driver.play(rules, before, {sources.seat: move})
            board = sources.board(step.after, step=step)
            story = rules.story(step, SeatNames(rules.seats(sources.game.options), sources.seat))
        draft = sources.draft(answers=self.turn, board=board, story=story, move=self.move)
        return replace(draft, preview="Preview only: nothing has been played.")


class Proof(Letter):
    """The record of a game as a file, the result of its verification, and instructions for checking it."""

    is_answer = True

    def draft(self, sources: Sources) -> Draft:
        text = log.record(sources.session, sources.game).to_json()
        name = f"nabu-{sources.view.number}.json"
        draft = sources.draft(file=name, verdict=verification.verify(text))
        page = (ROOT / "docs" / "verify.md").read_bytes()
        files = (
            Attachment(name, "application/json", text.encode()),
            Attachment("verify.md", "text/plain", page),
        )
        return replace(draft, attachments=files)


class Noted(Letter):
    """All private notes of the receiver in a game, after a new one."""

    is_answer = True

    def draft(self, sources: Sources) -> Draft:
        labels = [seat.label for seat in sources.view.seats]
        everything = history.messages_of(sources.session, sources.sealer, sources.game, labels, sources.seat)
        return sources.draft(notes=[note for note in everything if note.note])


class Rules(Letter):
    """The rules page of a game. If a player requested it in a game, its terms follow, and a reply is for it."""

    is_answer = True
    takes_commands = False

    game_type: str

    def draft(self, sources: Sources) -> Draft:
        asked = rules_named(self.game_type)
        context = {"page": rulebook.rules_page(asked.name), "title": asked.title}
        if sources.about is None:
            return Draft(f"The rules of {asked.title}", {**context, "view": None})
        return Draft(sources.view.subject, {**context, "view": sources.view}, sources.reply(sources.game.turn))
