"""Each action is offered by email, on the web and through the API, or names the reason why not."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from flask import Flask

from server.actions.action import Action, Door
from server.actions.registry import ACCOUNT_ACTIONS, GAME_ACTIONS, TOURNAMENT_ACTIONS
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import MOVE

PLACES = {
    "/games/<int:number>": GAME_ACTIONS,
    "/tournaments/<int:number>": TOURNAMENT_ACTIONS,
    "": ACCOUNT_ACTIONS,
}
PLACED: list[tuple[str, Action[Any, Any]]] = [
    (place, action) for place, actions in PLACES.items() for action in actions
]
OWN_PAGES = {"/games/<int:number>/move", "/games/<int:number>/counter"}
"""The pages with the form of an action that includes the board or the terms."""


def posts(app: Flask) -> Counter[str]:
    """Return the URLs of all forms."""
    return Counter(rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ()))


@pytest.mark.parametrize("door", [Door.WEB, Door.API])
def test_each_action_has_a_web_and_an_api_path_or_a_reason(app: Flask, door: Door) -> None:
    found = posts(app)
    for place, action in PLACED:
        prefix = "/api/v1" if door is Door.API else "" if place else "/settings"
        address = f"{prefix}{place}/{action.name}"
        if door in action.not_offered:
            assert len(action.not_offered[door]) > 20, address
            assert address in OWN_PAGES or address not in found, address
        else:
            assert found[address] == 1, address


def test_email_command_of_each_action_exists() -> None:
    for _, action in PLACED:
        assert action.word is MOVE or action.word in (*REPLY, *PLAIN), action.name


@pytest.mark.parametrize("place", PLACES)
def test_action_names_are_unique(place: str) -> None:
    assert max(Counter(action.name for action in PLACES[place]).values()) == 1


def test_irreversible_actions_need_confirmation(app: Flask) -> None:
    asked = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    warned = [action.name for action in GAME_ACTIONS if action.warning]
    assert "resign" in warned
    assert all(f"/games/<int:number>/{name}" in asked for name in warned)
