"""The options of a tournament, and the refusals of everything else."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from rules.registry import RULES
from server.clock.terms import Terms
from server.errors import BadRequest
from server.tournaments.length import length_of
from server.tournaments.plan import FORMS, TournamentPlan, option_names


def terms(options: dict[str, object], *, simultaneous: bool = False) -> Terms:
    return Terms.from_options(options, ZoneInfo("UTC"), simultaneous=simultaneous)


LENGTH = length_of(RULES["nebuchadnezzar"], {"size": 8}, terms({"time": "1d"}))


def read(**options: object) -> TournamentPlan:
    return TournamentPlan.from_options(options, LENGTH)


def test_default_is_a_swiss_for_four_to_sixteen() -> None:
    plan = read()
    assert (plan.form.name, plan.least, plan.most, plan.rounds) == ("swiss", 4, 16, None)
    assert plan.signup == timedelta(days=14)
    assert plan.early
    assert plan.ties == ("buchholz", "sonneborn", "wins")


@pytest.mark.parametrize("form", FORMS)
def test_plan_is_stored_as_it_was_written(form: str) -> None:
    plan = read(format=form, places="4-10", signup="2d")
    assert TournamentPlan.from_json(plan.to_json()) == plan
    assert tuple(plan.to_json()) == option_names(FORMS[form])


def test_stored_plan_contains_the_chosen_options() -> None:
    chosen = {"format": "swiss", "rounds": "3", "after": "40d", "ties": "wins,head"}
    assert chosen.items() <= read(**chosen).to_json().items()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"format": "cup"},
            "“cup” is not a format of tournaments; write format=round-robin or format=double or format=swiss",
        ),
        ({"places": "many"}, "“many” is not a number of places; write places=4-16"),
        ({"places": "1-4"}, "has from 2 to 64 places"),
        ({"places": "8-4"}, "has from 2 to 64 places"),
        ({"format": "double", "places": "4-11"}, "(Double round robin) has from 2 to 10 places"),
        ({"rounds": "16"}, "“rounds” must be a number from 1 to 15, not 16."),
        ({"format": "ladder", "rounds": "5"}, "“rounds” does not apply to this format (Ladder)"),
        ({"format": "ladder", "after": "5d"}, "“after” does not apply"),
        ({"lasts": "5d"}, "“lasts” does not apply to this format (Swiss)"),
        (
            {"format": "knock-out", "ties": "wins"},
            "A tournament of this format (Knock-out) has no tie-breaks",
        ),
        (
            {"ties": "wins,wins"},
            "are no tie-breaks; write some of buchholz, sonneborn, head, wins, games, as in",
        ),
        ({"early": "maybe"}, "“early” must be on or off, not maybe."),
        ({"signup": "5m"}, "“signup” must be 1 hour to 90 days; 5 minutes is too short."),
        ({"after": "soon"}, "“soon” is not a length of time"),
        (
            {"after": "22d"},
            "No game could be finished in 22 days: one of Nebuchadnezzar usually takes 91 turns, which at 1d "
            "can take 91 days. Write after=23d or more, choose less time for a move, or leave “after” out.",
        ),
    ],
)
def test_invalid_plan_is_refused_with_valid_values(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read(**options)
    assert complaint in str(refused.value)


def test_stored_plan_is_read() -> None:
    stored = {
        "format": "knock-out",
        "places": "4-8",
        "signup": "2d",
        "early": "on",
        "after": "30d",
    }
    plan = TournamentPlan.from_json(stored)
    assert plan.after == timedelta(days=30)
    assert plan.to_json() == stored
    ladder = TournamentPlan.from_json(
        {"format": "ladder", "places": "4-8", "lasts": "30d", "ties": "wins,games"}
    )
    assert ladder.lasts == timedelta(days=30)


@pytest.mark.parametrize(
    ("game_type", "options", "time", "days"),
    [
        ("nebuchadnezzar", {"size": 8}, "1d", 91),
        ("nebuchadnezzar", {"size": 8}, "none", 91),
        ("nibble", {"board": "square-9"}, "3d", 150),
        ("nibble", {"board": "square-9"}, "1h", 3),
        ("nexus", {"players": 2}, "7d+1d/14d", 64),
        ("nelaxtam", {"size": 12}, "1d", 55),
        ("nelaxtam", {"size": 12}, "7d+1d/14d", 62),
        ("nelaxtam", {"size": 12}, "mon,thu 18:00 UTC", 193),
        ("nardshir", {}, "3d", 365),
    ],
)
def test_round_is_as_long_as_an_ordinary_game_can_take(
    game_type: str, options: dict[str, object], time: str, days: int
) -> None:
    rules = RULES[game_type]
    length = length_of(rules, rules.options(options), terms({"time": time}, simultaneous=rules.simultaneous))
    plan = TournamentPlan.from_options({"format": "swiss"}, length)
    assert plan.after == timedelta(days=days)
    assert TournamentPlan.from_options({"after": "200d"}, length).after == timedelta(days=200), "an option wins"
    ladder = TournamentPlan.from_options({"format": "ladder"}, length)
    assert ladder.lasts == max(plan.after, timedelta(days=30))
    assert TournamentPlan.from_json(ladder.to_json()) == ladder


def test_formats_are_found_with_and_without_hyphens() -> None:
    assert read(format="knockout").form is read(format="Knock-Out").form


def test_format_may_be_called_form() -> None:
    assert read(form="ladder") == read(format="ladder")
    assert TournamentPlan.from_json({"form": "ladder"}) == TournamentPlan.from_json({"format": "ladder"})
