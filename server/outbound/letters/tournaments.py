"""Letters about tournaments."""

from dataclasses import replace

from server.accounts import players
from server.clock.moments import write_moment
from server.outbound.letters.context import Draft, Sources, draft_of, template_fields
from server.store.letters.letter import Letter
from server.store.letters.tournaments import (
    AdjudicatedSoon,
    NoPlace,
    PlaceFree,
    RoundBegins,
    TournamentCancelled,
    TournamentOver,
    WaitedInVain,
)
from server.store.models import Player
from server.tournaments import byes, description, lists, views
from server.tournaments.views import TournamentView

_FEW = 12
"""Maximum number of tournaments of each state in a letter."""


class TournamentSheet(Letter):
    """The details of a tournament for `player`, below a sentence that answers their command.

    It lists the games of `round`, 0 for the last one.
    """

    subject = "The tournament"
    is_answer = True

    tournament: int
    player: int
    sentence: str = ""
    round: int = 0

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the rules, players and standings of a tournament, and the games of a round."""
        view = _view(sources, self.tournament, self.player)
        last = max(view.rounds, default=0)
        told = self.round or last
        zone = players.zone(sources.session.get_one(Player, self.player))
        return Draft(
            f"{view.line.called}, number {view.line.number}",
            {
                "view": view,
                "sentence": self.sentence,
                "games": view.rounds.get(told, ()),
                "other": 0 if last < 2 else last if told < last else last - 1,
                "closes": write_moment(view.line.closes_at, zone, sources.now),
                "ends": "" if view.line.ends_at is None else write_moment(view.line.ends_at, zone, sources.now),
            },
        )


class Tournaments(Letter):
    """The open and running tournaments, and some finished ones."""

    subject = "Tournaments"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with up to `_FEW` tournaments of each state."""
        reader = sources.session.get_one(Player, self.player)
        found = {
            title: lines
            for state, title in lists.STATES.items()
            if (lines := lists.list_tournaments(sources.session, reader, state, _FEW))
        }
        return Draft(self.subject, {"lists": found})


@draft_of.register
def round_begins(letter: RoundBegins, sources: Sources) -> Draft:
    """Return the letter with the standings before the round, and the games of the receiver."""
    view = _view(sources, letter.tournament, letter.player, before=letter.first)
    meetings = [each for number in range(letter.first, letter.last + 1) for each in view.rounds.get(number, ())]
    own = [each for each in meetings if letter.player in each.players]
    rounds = description.rounds_in_words(letter.first, letter.last)
    friendly = byes.friendly(sources.session, letter.tournament, letter.player)
    context = {"view": view, "own": own, "rounds": rounds, "begins": letter.first == 1}
    return Draft(f"{view.line.called}, {rounds}", {**context, "player": letter.player, "friendly": friendly})


@draft_of.register
def tournament_over(letter: TournamentOver, sources: Sources) -> Draft:
    """Return the letter with the final standings."""
    view = _view(sources, letter.tournament, None)
    what = ": a result was corrected" if letter.corrected else " is over"
    return Draft(f"{view.line.called}{what}", {"view": view, "what": what})


@draft_of.register
def tournament_cancelled(letter: TournamentCancelled, sources: Sources) -> Draft:
    """Return the notification; its subject names the tournament and its creator."""
    what = "was ended early" if letter.begun else "was cancelled"
    called = lists.called(sources.session, letter.tournament)
    return Draft(f"{called} {what}", {**template_fields(letter, sources), "called": called})


@draft_of.register
def no_place(letter: NoPlace, sources: Sources) -> Draft:
    """Return the notification with the condition for getting a place later."""
    called = lists.called(sources.session, letter.tournament)
    coming_in = description.COMING_IN.get(letter.form, "")
    values = {**template_fields(letter, sources), "called": called, "coming_in": coming_in}
    return Draft(f"{called} has started without you", values)


@draft_of.register
def place_free(letter: PlaceFree, sources: Sources) -> Draft:
    """Return the notification; its subject names the tournament and its creator."""
    called = lists.called(sources.session, letter.tournament)
    return Draft(f"You have a place in {called}", {**template_fields(letter, sources), "called": called})


@draft_of.register
def waited_in_vain(letter: WaitedInVain, sources: Sources) -> Draft:
    """Return the notification; its subject names the tournament and its creator."""
    called = lists.called(sources.session, letter.tournament)
    return Draft(f"No place in {called}", {**template_fields(letter, sources), "called": called})


@draft_of.register
def adjudicated_soon(letter: AdjudicatedSoon, sources: Sources) -> Draft:
    """Return the notification; it is about the game, so a reply is for its current turn."""
    called = lists.called(sources.session, letter.tournament)
    draft = sources.draft(**template_fields(letter, sources), called=called, unfinished=description.UNFINISHED)
    return replace(draft, subject=f"{called}: game {sources.view.number} ends soon")


def _view(sources: Sources, number: int, reader: int | None, before: int | None = None) -> TournamentView:
    return views.tournament_view(sources.session, number, reader, sources.now, before=before)
