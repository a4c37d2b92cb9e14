"""The rules on the web: boards as pictures, and their example game turn by turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from rules.drawing import ascii_board
from rules.errors import IllegalMove
from rules.records.record import Record
from rules.registry import RULES
from server.game.terms.game_types import examples_of, rules_page
from server.game.views.example_games import worked_game
from tests.support.web.client import Browser, readable

_BLOCK = re.compile(r"^```diagram (\S+)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)

_TURN = re.compile(r"^_Turn (\d+) of the game below: (.+?)_$", re.DOTALL | re.MULTILINE)
_EXAMPLE = re.compile(r"^_Example, ([^:]+): (.+?)_$", re.DOTALL | re.MULTILINE)

every_game_type = pytest.mark.parametrize("game_type", sorted(RULES))


def blocks(game_type: str) -> Iterator[tuple[int, str]]:
    """Return the boards of a rules page: the turn of each, and how it is drawn there."""
    return ((int(turn), drawn) for turn, drawn in _BLOCK.findall(rules_page(game_type)))


@every_game_type
def test_boards_on_the_page_are_those_of_its_sample_game(game_type: str) -> None:
    game = worked_game(game_type)
    assert game is not None
    assert game.replayed.error is None
    found = dict(blocks(game_type))
    assert len(found) > 1
    for turn, drawn in found.items():
        assert drawn == ascii_board(game.turn(turn).board.diagram), turn


@every_game_type
def test_examples_on_the_page_are_turns_of_its_sample_game(game_type: str) -> None:
    game = worked_game(game_type)
    assert game is not None
    found = _TURN.findall(rules_page(game_type))
    assert len(found) > 1
    for turn, told in found:
        quoted = re.findall("“(.+?)”", " ".join(told.split()))
        assert quoted
        assert set(quoted) <= {line.partition(": ")[2] for line in game.turn(int(turn)).played}


@every_game_type
def test_other_examples_are_true(game_type: str) -> None:
    """The quoted moves are played, allowed or refused in their positions by the rules."""
    rules, wanted = RULES[game_type], examples_of(game_type)
    found = {
        " ".join(title.split()): " ".join(told.split())
        for title, told in _EXAMPLE.findall(rules_page(game_type))
    }
    assert list(found) == list(wanted)
    for title, data in wanted.items():
        options = rules.options(data.get("options", {}))
        position = rules.read(options, data["position"]) if "position" in data else rules.start(options, {})
        assert rules.result(position) is None, title
        allowed = [*data.get("moves", {}).items(), *each(data.get("allowed", {}))]
        refused = each(data.get("refused", {}))
        assert set(re.findall("“(.+?)”", found[title])) == {text for _, text in (*allowed, *refused)}, title
        for seat, text in allowed:
            assert rules.allows(position, int(seat), text), (title, text)
        for seat, text in refused:
            with pytest.raises(IllegalMove):
                rules.parse(position, int(seat), text)


def each(texts: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Yield moves with the seat that each belongs to."""
    return [(seat, text) for seat, several in texts.items() for text in several]


def test_passes_in_the_rules_of_nardshir_are_forced() -> None:
    rules, data = RULES["nardshir"], examples_of("nardshir")["a pass"]
    assert rules.forced(rules.read({}, data["position"])) == ()


@every_game_type
def test_every_rule_about_the_board_has_a_picture(game_type: str) -> None:
    """Other sections describe moves, boards, terms and the origin of the rules."""
    bare = {
        section.partition("\n")[0]
        for section in rules_page(game_type).split("\n## ")[1:]
        if not re.search(r"^(_Turn|_Example|```diagram)", section, re.MULTILINE)
    }
    others = r"Writing .*|How to write .*|Reading the board|Options|The colours|Where .*"
    assert [title for title in bare if not re.fullmatch(others, title)] == []


@pytest.mark.sample(2)
@every_game_type
def test_pictures_on_the_page_link_to_the_sample_game(app: Flask, game_type: str) -> None:
    page = Browser(app).get(f"/rules/{game_type}").text
    turns = re.findall(r"^(?:```diagram|_Turn) (\d+)", rules_page(game_type), re.MULTILINE)
    assert page.count('class="board"') == len(turns) + len(examples_of(game_type))
    assert re.findall(rf'href="/rules/{game_type}/game\?turn=(\d+)">T', page) == turns
    for raw in ("```", "In [ ]", "nabu-record", "<em>Turn", "<em>Example"):
        assert raw not in page
    assert len(page.encode()) < 60_000
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names))
    used = set(re.findall(r'<use href="#([^"]+)"', page))
    assert used <= set(names)


@every_game_type
def test_sample_game_can_be_clicked_through(app: Flask, game_type: str) -> None:
    browser, game = Browser(app), worked_game(game_type)
    assert game is not None
    address = f"/rules/{game_type}/game"
    assert f'href="{address}?turn=0"' in browser.get(f"/rules/{game_type}").text
    page, seen = browser.get(f"{address}?turn=0"), 0
    while on := re.search(r'data-go="on" href="([^"]+)"', page.text):
        page, seen = browser.get(on[1]), seen + 1
        for line in game.turn(seen).played:
            assert line in readable(page)
    assert seen == game.last
    assert page.text == browser.get(address).text
    for turn in (game.last + 1, -1):
        assert browser.get(f"{address}?turn={turn}").status_code == 404


@every_game_type
def test_record_of_the_sample_game_matches_the_text(app: Flask, game_type: str) -> None:
    answer = Browser(app).get(f"/rules/{game_type}/record.json")
    (written,) = re.findall(r"^```record\n(.+?)^```$", rules_page(game_type), re.DOTALL | re.MULTILINE)
    assert Record.from_json(answer.text) == Record.from_json(json.loads(written))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="nabu-{game_type}.json"'


def test_unknown_game_type_has_no_sample_game(app: Flask) -> None:
    for way in ("", "/game", "/record.json"):
        assert Browser(app).get(f"/rules/chess{way}").status_code == 404


def test_unknown_game_types_are_not_cached(app: Flask) -> None:
    browser, known = Browser(app), worked_game.cache_info().currsize
    for number in range(3):
        for page in ("game", "record.json"):
            assert browser.get(f"/rules/xxx{number}/{page}").status_code == 404
    assert worked_game.cache_info().currsize == known
