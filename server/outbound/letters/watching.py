"""Letters about a game to spectators who watch it or follow one of its players."""

from typing import Any

from rules.driver import begin
from rules.sentences import listed
from server.accounts.login.links import Watching
from server.game.log import log
from server.game.spectators import chat
from server.game.terms.wording import result_text
from server.game.views import game_view, history
from server.game.views.boards import Board, wants_words
from server.game.views.game_view import GameView
from server.outbound.letters.context import Draft, Sources, draft_of
from server.outbound.letters.subjects import preview
from server.store.letters.game import Watched
from server.store.models import Player


@draft_of.register
def watched(letter: Watched, sources: Sources) -> Draft:
    """Return the letter with the turns since the last one, the board after them, and a way to stop watching."""
    game, watcher = sources.game, sources.session.get_one(Player, letter.watcher)
    view = game_view.game_view(sources.session, sources.sealer, game, None)
    names = [seat.name for seat in view.seats]
    played = list(log.steps(sources.session, game, letter.first, letter.last))
    step = played[-1][1] if played else log.step(sources.session, game, letter.last)
    rules = log.rules_of(game)
    after = rules.start(game.options, game.setup) if step is None else step.after
    if rolled := letter.rolled:
        after, _ = begin(rules, after, lambda _: rolled)
    state = _state(letter, view, after, rules)
    told = [history.describe_turn(game, *each, names) for each in played]
    followed = None if letter.follows is None else sources.session.get_one(Player, letter.follows)
    page = f"/unwatch/{sources.logins.write_unwatch(_watching(letter, view))}"
    ends = f"unwatch {view.number if followed is None else followed.name}"
    return Draft(
        f"Watched: {view.subject}",
        {
            "view": view,
            "state": state,
            "undone": letter.undone,
            "turns": told,
            "board": Board(rules, after, None, step, in_words=wants_words(watcher)),
            "followed": "" if followed is None else followed.name,
            "over": letter.result is not None,
            "said": [
                (each.speaker, each.text.splitlines())
                for each in chat.filter_audible(sources.session, sources.sealer, game, watcher, letter.messages)
            ],
            "command": ends,
            "unwatch": f"{sources.settings.base_url}{page}",
        },
        log=(letter.entries, letter.head),
        preview=preview(state, *(line for turn in told[-1:] for line in turn.played)),
        way_out=None if letter.result and followed is None else (page, ends),
    )


def _state(letter: Watched, view: GameView, position: Any, rules: log.AnyRules) -> str:
    """Return the state of the game in a sentence."""
    labels = [seat.label for seat in view.seats]
    if letter.result is not None:
        return f"The game is over. {result_text(rules, letter.result, labels)}"
    if view.simultaneous:
        return f"Turn {letter.last + 1}: waiting for orders."
    return f"Turn {letter.last + 1}: {listed(labels[seat] for seat in rules.to_move(position))} to move."


def _watching(letter: Watched, view: GameView) -> Watching:
    return Watching(letter.watcher, view.number if letter.follows is None else None, letter.follows)
