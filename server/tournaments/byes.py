"""A friendly game for a player without an opponent in a round: against a computer player, without points."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlmodel import Session, select

from rules.registry import rules_named
from server.accounts import computer_players
from server.game.ratings import ratings
from server.game.ratings.ratings import pace_of
from server.game.terms.terms import RATED, GameTerms
from server.store.models import Entrant, Pairing, Tournament
from server.tournaments.plan import TournamentPlan


@dataclass(frozen=True)
class FriendlyView:
    """A game that a player is offered; `options` are those of its rules, `terms` the other terms."""

    name: str
    """The name of the computer player, who is about as strong."""
    game_type: str
    options: Mapping[str, object]
    terms: Mapping[str, object]

    @property
    def command(self) -> str:
        """The command that starts the game by email."""
        written = (f"{name}={value}" for name, value in {**self.options, **self.terms}.items())
        return " ".join(["challenge", self.name, self.game_type, *written])

    @property
    def fields(self) -> dict[str, object]:
        """The fields that the form of a new game sends."""
        options = {f"option-{name}": value for name, value in self.options.items()}
        return {"opponents": self.name, **options, **self.terms}


def friendly(session: Session, number: int, player: int) -> FriendlyView | None:
    """Return the offer for this player in a tournament now; None if they have an opponent."""
    tournament = session.get_one(Tournament, number)
    if tournament.state != "running" or not _sits_out(session, tournament, player):
        return None
    usual = rules_named(tournament.game_type).options({})
    terms = replace(GameTerms.from_json(tournament.terms), rated=False).unusual()
    level = ratings.levels_by_distance(session, player, tournament.game_type, pace_of(tournament.terms))[0]
    return FriendlyView(
        name=next(each.name for each in computer_players.list_computers(session) if each.level == level),
        game_type=tournament.game_type,
        options={name: value for name, value in tournament.options.items() if value != usual[name]},
        terms={**terms, RATED: "off"},
    )


def _sits_out(session: Session, tournament: Tournament, player: int) -> bool:
    """Return whether a player is still in, but has no opponent in this round; always true if rounds overlap."""
    entrant, plan = session.get(Entrant, (tournament.id, player)), TournamentPlan.from_json(tournament.plan)
    if entrant is None or entrant.left or entrant.seed is None or plan.form.name == "ladder":
        return False
    of_round = Pairing.tournament_id == tournament.id, Pairing.round == tournament.round
    found = session.exec(select(Pairing).where(*of_round)).all()
    own = [each for each in found if player in (each.first_id, each.second_id)]
    if own:
        return all(each.second_id is None for each in own)
    return plan.form.name in ("round-robin", "double") and not plan.together
