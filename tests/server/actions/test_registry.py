"""Each action is offered in every way in which people act, or says why not."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from flask import Flask

from server.actions.action import Action, Door
from server.actions.registry import ACTIONS
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import MOVE

PREFIX = {Door.WEB: "", Door.API: "/api/v1"}


def posts(app: Flask) -> Counter[str]:
    """All addresses to which something can be sent."""
    return Counter(rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ()))


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
@pytest.mark.parametrize("door", [Door.WEB, Door.API])
def test_it_has_an_address_or_a_reason(app: Flask, door: Door, action: Action[Any]) -> None:
    address = f"{PREFIX[door]}/games/<int:number>/{action.name}"
    if door in action.not_offered:
        assert len(action.not_offered[door]) > 20
        own_pages = {"/games/<int:number>/move", "/games/<int:number>/counter"}
        assert address in own_pages or address not in posts(app)
    else:
        assert posts(app)[address] == 1


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_its_word_can_be_written(action: Action[Any]) -> None:
    assert action.word is MOVE or action.word in (*REPLY, *PLAIN)


def test_no_two_have_a_name() -> None:
    assert max(Counter(action.name for action in ACTIONS).values()) == 1


def test_what_cannot_be_undone_is_asked_first(app: Flask) -> None:
    asked = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    warned = [action.name for action in ACTIONS if action.warning]
    assert "resign" in warned
    assert all(f"/games/<int:number>/{name}" in asked for name in warned)
