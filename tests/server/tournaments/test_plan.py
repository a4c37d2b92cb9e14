"""What can be chosen of a tournament, and what is said of all else."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.errors import BadRequest
from server.tournaments.plan import FORMS, Plan, option_names


def read(**options: object) -> Plan:
    return Plan.from_options(options, simultaneous=False)


def test_nothing_said_means_a_swiss_for_four_to_sixteen() -> None:
    plan = read()
    assert (plan.form.name, plan.least, plan.most, plan.rounds) == ("swiss", 4, 16, None)
    assert plan.signup == timedelta(days=14)
    assert plan.early
    assert plan.ties == ("buchholz", "sonneborn", "wins")


@pytest.mark.parametrize("form", FORMS)
def test_a_plan_is_kept_as_it_was_written(form: str) -> None:
    plan = read(form=form, places="4-10", signup="2d")
    assert Plan.from_json(plan.to_json()) == plan
    assert tuple(plan.to_json()) == option_names(FORMS[form])


def test_a_kept_plan_says_what_was_chosen() -> None:
    chosen = {"form": "swiss", "rounds": "3", "settle": "slower", "after": "10d", "ties": "wins,head"}
    assert chosen.items() <= read(**chosen).to_json().items()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"form": "cup"},
            "“cup” is not a form of tournament; write form=round-robin or form=double or form=swiss",
        ),
        ({"places": "many"}, "“many” is not a number of places; write places=4-16"),
        ({"places": "1-4"}, "has from 2 to 64 places"),
        ({"places": "8-4"}, "has from 2 to 64 places"),
        ({"form": "double", "places": "4-11"}, "(Double round robin) has from 2 to 10 places"),
        ({"rounds": "16"}, "“16” is not a number of rounds; write rounds=5"),
        ({"form": "ladder", "rounds": "5"}, "“rounds” means nothing in this form of tournament (Ladder)"),
        ({"form": "ladder", "after": "5d"}, "“after” means nothing"),
        ({"lasts": "5d"}, "“lasts” means nothing in this form of tournament (Swiss)"),
        (
            {"form": "knock-out", "ties": "wins"},
            "A tournament of this form (Knock-out) has no tie-breaks",
        ),
        (
            {"ties": "wins,wins"},
            "are no tie-breaks; write some of buchholz, sonneborn, head, wins, games, as in",
        ),
        ({"early": "maybe"}, "“early” is on or off, not “maybe”."),
        ({"signup": "5m"}, "“signup” must be 1 hour to 90 days; 5 minutes is too short."),
        ({"after": "soon"}, "'soon' is not a length of time"),
        ({"settle": "me"}, "“me” is not a choice for “settle”; write settle=draw or settle=slower."),
    ],
)
def test_what_cannot_be_is_named_with_what_would_be_right(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read(**options)
    assert complaint in str(refused.value)


def test_with_secret_orders_nobody_can_be_slower() -> None:
    with pytest.raises(BadRequest, match="write settle=draw"):
        Plan.from_options({"settle": "slower"}, simultaneous=True)


def test_forms_are_found_with_and_without_hyphens() -> None:
    assert read(form="knockout").form is read(form="Knock-Out").form
