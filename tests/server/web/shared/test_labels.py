"""Errors in forms name the labels of their fields, not the options as written in emails."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from html import unescape

import pytest
from flask import Flask

from rules.registry import RULES
from server.processes.services import Services
from server.store.models import Player
from server.tournaments.plan import FORMS
from server.web.shared.labels import LABELS
from tests.support.server.emails import receive
from tests.support.web.client import Browser, logged_in

WRONG = ("?", "9999", "12-9")
"""Values that none of these fields accepts."""
IN_A_MAIL = re.compile(r"\w=|\bseek\b|\bcounter\b|write: |write leave")
NO_DEADLINE = {"other-time": "none"}
TOGETHER: tuple[Mapping[str, str], ...] = (
    *({**NO_DEADLINE, **also} for also in ({"grace": "2h"}, {"timeout": "claim"}, {"weekends": "off"})),
    *({**NO_DEADLINE, "misses": "5"}, {"delay": "5h"}, {"other-time": "mon 20:00", "weekends": "?"}),
    *({"other-time": "sat 20:00", "weekends": "off"}, {"grace": "9d"}, {"anonymous": "on", "games": "3"}),
    *({"places": "4-99"}, {"signup": "1m"}, {"after": "1m"}, {"after": "2d"}),
)
"""Combinations that are not allowed, and numbers that are too large."""


@pytest.fixture
def ann_at_the_web(app: Flask, services: Services, ann: Player, ben: Player) -> Browser:
    return logged_in(app, services, ann)


def fields(browser: Browser, page: str) -> set[str]:
    """Return the names of all fields of the form that can be wrong."""
    found = set(re.findall(r'<(?:input|select|textarea)\b[^>]*? name="([^"]+)"', browser.get(page).text))
    return found - {"csrf_token", "whom", "luck"}


def problems(browser: Browser, address: str, written: Mapping[str, str]) -> list[str]:
    """Return the error sentences for the values in a form."""
    page = browser.send(address, **written).text
    return [unescape(each) for each in re.findall(r'<p class="problem"[^>]*>([^<]+)</p>', page)]


def assert_told_by_labels(found: Iterable[str]) -> None:
    for sentence in found:
        assert not IN_A_MAIL.search(sentence), sentence
        assert not [name for name in LABELS if f"“{name}”" in sentence], sentence
        assert not [name for name in LABELS if sentence.startswith(f"{name} ")], sentence


def walked(
    browser: Browser, page: str, address: str, usual: Mapping[str, str], without: Collection[str] = ()
) -> dict[str, list[str]]:
    """Return, by field, the errors for wrong values while all other fields have `usual` values; checked.

    The fields in `without` are left out, and so are combinations of fields if there are any.
    """
    found: dict[str, list[str]] = {}
    for name in sorted(fields(browser, page) - set(without)):
        for wrong in WRONG:
            found.setdefault(name, []).extend(problems(browser, address, {**usual, name: wrong}))
    for together in () if without else TOGETHER:
        found.setdefault("", []).extend(problems(browser, address, {**usual, **together}))
    for sentences in found.values():
        assert_told_by_labels(sentences)
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("form", sorted(FORMS))
def test_errors_of_a_new_tournament_name_the_labels_of_fields(ann_at_the_web: Browser, form: str) -> None:
    page = "/tournaments/new/nelaxtam"
    found = walked(ann_at_the_web, page, page, {"name": "Cup", "format": form})
    assert found.keys() >= {"places", "signup", "ties", "grace", "other-time"}
    assert [name for name in ("name", "format", "places", "signup", "grace") if not found[name]] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("against", [{"whom": "anyone"}, {"opponents": "Ben"}], ids=["anyone", "a person"])
def test_errors_of_a_new_game_name_the_labels_of_fields(
    ann_at_the_web: Browser, against: dict[str, str]
) -> None:
    page = "/games/new/nelaxtam"
    found = walked(ann_at_the_web, page, page, against)
    assert [
        name for name in ("rating", "in-time", "always", "grace", "games", "rated") if not found[name]
    ] == []
    said = problems(ann_at_the_web, page, {"opponents": "Ben", "anonymous": "on"})
    assert_told_by_labels(said)
    assert "knows who sent it. Open the game to all players." in said[0]


def test_errors_of_the_terms_of_a_new_game_name_the_labels_of_fields(ann_at_the_web: Browser) -> None:
    page = "/games/new/nelaxtam"
    told = walked(ann_at_the_web, page, f"{page}/terms", {"opponents": "Ben"})
    assert told["grace"]


def test_errors_of_options_name_the_labels_of_fields(ann_at_the_web: Browser) -> None:
    """All other fields are the same as in a game and a tournament of Nelaxtam."""
    found = set()
    for kind, usual in (("games", {"opponents": "Ben"}), ("tournaments", {"name": "Cup"})):
        common = fields(ann_at_the_web, f"/{kind}/new/nelaxtam")
        others = {name for name in common if not name.startswith("option-")}
        for game_type in RULES.keys() - {"nelaxtam"}:
            page = f"/{kind}/new/{game_type}"
            told = walked(ann_at_the_web, page, page, usual, without=others)
            found |= {f"{kind} {game_type} {name}" for name, sentences in told.items() if sentences}
    assert {"games nexus option-players", "tournaments nibble option-board"} <= found


def test_errors_of_a_counter_offer_name_the_labels_of_fields(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    receive(services, ann.email, "play@games.example.org", "challenge Ben nelaxtam")
    browser = logged_in(app, services, ben)
    found = walked(browser, "/games/1/counter", "/games/1/counter", {})
    assert found["grace"]
    (same,) = problems(browser, "/games/1/counter", {})
    assert same == "Game 1 already has these options."


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"places": "many"}, "“many” is not a number of places; write 4-16 at “Places” for at least 4"),
        ({"signup": "5m"}, "“Sign-up is open for” must be 1 hour to 90 days; 5 minutes is too short."),
        ({"other-time": "none", "grace": "5h"}, "“Grace period after a deadline” would have no effect"),
        ({"timeout": "?"}, "is not a choice for “When time is up”; write lose or claim at “When time is up”."),
    ],
)
def test_error_names_the_label_of_its_field(
    ann_at_the_web: Browser, written: dict[str, str], told: str
) -> None:
    (said,) = problems(ann_at_the_web, "/tournaments/new/nibble", {"name": "Cup", **written})
    assert told in said


def test_error_about_too_many_open_games_contains_no_email_command(ann_at_the_web: Browser) -> None:
    for _ in range(10):
        assert problems(ann_at_the_web, "/games/new/nibble", {"whom": "anyone"}) == []
    (said,) = problems(ann_at_the_web, "/games/new/nibble", {"whom": "anyone"})
    assert said.startswith("You have 10 open games.")
    assert_told_by_labels([said])
