"""Letters about open games. A reply goes to the plain address, so they name the game."""

from server.clock.spans import in_words
from server.game.lobby import challenges, early_start, entry_conditions
from server.game.terms import game_types
from server.game.terms.terms import STALE
from server.game.views import archive, game_view, open_games
from server.game.views.game_view import GameView
from server.outbound.letters.context import Draft, Sources, draft_of, template_fields
from server.store.letters.letter import Letter
from server.store.letters.lobby import OpenGameChanged, OpenGameClosed, OpenGameExpired, StartAsked
from server.store.models import Game, Player

_MOST_LISTED = 20
_FEW = 6
"""Maximum number of running games, and of finished games."""


class OpenGame(Letter):
    """The details of an open game, for a player who has opened or joined it or asks about it."""

    is_answer = True

    game: int
    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter, with the first board for a reader who has not joined."""
        reader = sources.session.get_one(Player, self.player)
        view = _view(sources, self.game, reader)
        game = sources.session.get_one(Game, self.game)
        context = {
            "view": view,
            "about": game_types.game_type_view(view.game_type).about,
            "board": game_view.first_board(game),
            "misfit": entry_conditions.misfit(sources.session, game, reader),
            "start": early_start.view(sources.session, game, self.player),
        }
        return Draft(f"{view.title} {view.number}, open to {view.open_to}", context)


class OpenGames(Letter):
    """The list of open games, with some running and finished ones, of one game type or of all."""

    subject = "Open games"
    is_answer = True

    player: int
    game_type: str = ""

    def draft(self, sources: Sources) -> Draft:
        reader = sources.session.get_one(Player, self.player)
        found = open_games.open_games(sources.session, reader, _MOST_LISTED + 1, game_type=self.game_type)
        title = game_types.game_type_view(self.game_type).title if self.game_type else ""
        more = len(found) > _MOST_LISTED
        context = {
            "rows": found[:_MOST_LISTED],
            "title": title,
            "more": more,
            "game_type": self.game_type,
            "running": archive.being_played(sources.session, _FEW, self.game_type),
            "over": archive.found(sources.session, archive.Search(game_type=self.game_type), _FEW),
        }
        return Draft(self.subject, context)


@draft_of.register
def table_changed(letter: OpenGameChanged, sources: Sources) -> Draft:
    """Return the letter with the players so far and the number of free places."""
    view = _view(sources, letter.game, None)
    did = "has joined" if letter.joined else "has left"
    subject = f"{letter.by} {did} {view.title} {view.number}"
    return Draft(subject, {**template_fields(letter, sources), "view": view}, by=letter.by)


@draft_of.register
def table_closed(letter: OpenGameClosed, sources: Sources) -> Draft:
    view = _view(sources, letter.game, None)
    subject = f"{view.title} {view.number} is no longer open"
    return Draft(subject, {**template_fields(letter, sources), "view": view}, by=letter.by)


@draft_of.register
def table_forgotten(letter: OpenGameExpired, sources: Sources) -> Draft:
    view = _view(sources, letter.game, None)
    subject = f"{view.title} {view.number} is no longer open"
    return Draft(subject, {**template_fields(letter, sources), "view": view, "waited": in_words(STALE)})


@draft_of.register
def start_asked(letter: StartAsked, sources: Sources) -> Draft:
    """Return the letter with the players who have agreed and those who have not."""
    view, game = _view(sources, letter.game, None), sources.session.get_one(Game, letter.game)
    start = early_start.view(sources.session, game, letter.player)
    subject = f"Start {view.title} {view.number} with fewer players?"
    return Draft(subject, {**template_fields(letter, sources), "view": view, "start": start}, by=letter.by)


def _view(sources: Sources, number: int, reader: Player | None) -> GameView:
    """Return an open game as the reader may see it; None for the public view."""
    game = sources.session.get_one(Game, number)
    seat = None if reader is None else challenges.seat_of(sources.session, game, reader)
    return game_view.game_view(sources.session, sources.sealer, game, seat)
