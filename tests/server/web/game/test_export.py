"""Exports of a game: text, pictures and films, and the preview picture for chats."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from flask import Flask
from PIL import Image

from rules.drawing import svg_board
from rules.drawing.diagram import Cell, Diagram, Row
from rules.drawing.themes import LIGHT
from rules.games.nibble.picture import picture
from server.game.views import export
from server.limits import MOST_FRAMES
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from server.web.game import pictures
from tests.support.rules.positions.nibble import start
from tests.support.server.damage import write_raw
from tests.support.server.games import begin, submit
from tests.support.web.client import Browser
from tests.support.web.games import Match

_EXPORTS = ("moves.txt", "pictures/1.svg", "pictures/1.png", "films/1.webp", "cards/1.png")
_MOVES = ("c3", "d4", "a1", "e5")


@pytest.fixture(autouse=True)
def nothing_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the cache, as boards of other tests look the same."""
    monkeypatch.setattr(pictures, "_shelf", pictures._Shelf())


@pytest.fixture
def played(open_game: Match) -> Match:
    """A game of four turns."""
    for turn, move in enumerate(_MOVES):
        submit(open_game.services, open_game.number, turn % 2, move)
    return open_game


def image(content: bytes) -> Image.Image:
    """Return the picture of a response."""
    return Image.open(BytesIO(content))


@pytest.mark.parametrize("board", ["square-9", "hex-13"])
def test_small_picture_of_an_emptied_board_shows_all_places_and_the_frame(board: str) -> None:
    full = start(board)
    empty = replace(full, blocks=(0,) * len(full.blocks))
    drawn = [pictures.small(picture(each, None, None)) for each in (full, empty)]
    measures = [re.findall(r'viewBox="[^"]*"|<rect class="box"[^>]*>', each) for each in drawn]
    assert measures[0] == measures[1]
    assert len(measures[0]) == (1 if board == "hex-13" else 2)


def dark(content: bytes) -> int:
    """Return the number of dark pixels in a picture."""
    return sum(image(content).convert("L").histogram()[:100])


def test_game_is_exported_as_text(app: Flask, played: Match) -> None:
    answer = Browser(app).get(f"{played.address}/moves.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    first, second = re.findall(r"^(\w+) \(", answer.text, re.MULTILINE)
    assert {first, second} == {"Ann", "Ben"}
    assert answer.text == (
        f"Nebuchadnezzar, game {played.number}\n5 by 5 points\n{first} (Black)\n{second} (White)\n\n"
        f"1. {first}: c3\n2. {second}: d4\n3. {first}: a1\n4. {second}: e5\n\n"
        "   a  b  c  d  e\n5| .  .  .  . [w]|5\n4| .  .  .  w  . |4\n3| .  .  b  .  . |3\n2| .  .  .  .  . |2\n"
        "1| b  .  .  .  . |1\n   a  b  c  d  e\n[ ]: changed this turn.\n"
        "b: black, 2 discs\nw: white, 2 discs\n"
    )


def test_text_contains_the_result_and_takebacks(app: Flask, played: Match) -> None:
    for seat in (0, 1):
        played.browsers[seat].send(f"{played.address}/takeback", turn=5)
    played.browsers[0].send(f"{played.address}/resign", turn=6)
    text = Browser(app).get(f"{played.address}/moves.txt").text
    assert re.search(r"^\w+ took back turn 3\.$", text, re.MULTILINE)
    assert re.search(r"^\w+ \(\w+\) wins: the other side resigned\.$", text, re.MULTILINE)


@pytest.mark.parametrize("game_type", ["svg", "png"])
def test_picture_shows_the_board_after_any_turn(app: Flask, played: Match, game_type: str) -> None:
    found = [Browser(app).get(f"{played.address}/pictures/{turn}.{game_type}") for turn in range(5)]
    assert len({answer.data for answer in found}) == 5
    assert {answer.headers["Content-Type"].partition("+")[0] for answer in found} == {
        "image/svg" if game_type == "svg" else "image/png"
    }
    assert (
        found[2].headers["Content-Disposition"] == f'attachment; filename="nabu-{played.number}-2.{game_type}"'
    )


def test_letters_are_drawn_without_installed_fonts() -> None:
    """The font comes with Nabu; system fonts are not used."""
    board = svg_board(Diagram((Row("2", (Cell("a2", "", LIGHT),)),), files=("a",)))
    bare = re.sub(r"<text .*?</text>", "", board)
    assert dark(pictures.png(board)) > dark(pictures.png(bare)) + 50


def test_animation_shows_the_turns_in_order(app: Flask, played: Match) -> None:
    film = image(Browser(app).get(f"{played.address}/films/4.webp").data)
    assert (film.format, getattr(film, "n_frames", 1)) == ("WEBP", 5)
    assert max(film.size) == 480


def test_animation_of_a_growing_board_keeps_its_size() -> None:
    rows = [
        tuple(Row("", tuple(Cell("", "", LIGHT) for _ in range(size))) for _ in range(size)) for size in (3, 5)
    ]
    film = image(pictures.film("growing", lambda: [svg_board(Diagram(each)) for each in rows]))
    assert getattr(film, "n_frames", 1) == 2
    assert film.size == (480, 480)


def test_animation_of_a_long_game_leaves_turns_out_between_its_ends(played: Match) -> None:
    with reading(played.services.engine) as session:
        game = session.get_one(Game, played.number)
        shown = [board.position for board in export.boards(session, game, 4, 3)]
        everything = [board.position for board in export.boards(session, game, 4, MOST_FRAMES)]
    assert len(everything) == 5
    assert shown == everything[::2]


def test_drawn_pictures_are_cached() -> None:
    board = svg_board(Diagram((Row("", (Cell("", "", LIGHT),)),)))
    assert pictures.png(board) is pictures.png(board)
    assert pictures.card(board, "Go", "1") is pictures.card(board, "Go", "1")
    assert pictures.film("same", lambda: [board] * 2) is pictures.film("same", list)


def test_animation_of_another_game_is_another_one(app: Flask, played: Match, ann: Player, ben: Player) -> None:
    """Games that were imported with the same moves can have the same hash, on boards of different sizes."""
    larger = begin(played.services, "nebuchadnezzar", ann, ben, size=7)
    submit(played.services, larger, 0, "c3")
    for number in (played.number, larger):
        write_raw(played.services, "game", "head", "0" * 64, f"id = {number}")
    films = [Browser(app).get(f"/games/{number}/films/1.webp").data for number in (played.number, larger)]
    assert films[0] != films[1]


def test_only_one_animation_is_drawn_at_a_time(
    app: Flask, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(played.services, played.number, 0, "a5")
    with pictures.filming, monkeypatch.context() as patch:
        patch.setattr(export, "boards", None)  # and nothing is drawn for the others
        busy = Browser(app).get(f"{played.address}/films/5.webp")
        assert (busy.status_code, busy.headers["Retry-After"]) == (503, "10")
        assert "film" in busy.text
        assert Browser(app).get(f"{played.address}/pictures/5.png").status_code == 200
    assert Browser(app).get(f"{played.address}/films/5.webp").status_code == 200


def test_pictures_are_drawn_one_after_the_other(app: Flask, played: Match) -> None:
    submit(played.services, played.number, 0, "a4")
    with pictures.painting:
        for way in ("pictures/5.png", "cards/5.png"):
            busy = Browser(app).get(f"{played.address}/{way}")
            assert (busy.status_code, busy.headers["Retry-After"]) == (503, "10")
            assert "Too many pictures" in busy.text
        assert Browser(app).get(f"{played.address}/pictures/5.svg").status_code == 200
    assert Browser(app).get(f"{played.address}/pictures/5.png").status_code == 200


def test_shared_link_has_a_picture_of_the_board(app: Flask, played: Match) -> None:
    base = played.services.settings.base_url
    page = Browser(app).get(played.address).text
    told = dict(re.findall(r'<meta (?:property|name)="(?:og|twitter):([\w:]+)" content="([^"]*)">', page))
    assert told["title"] == f"Nebuchadnezzar {played.number}: Ann - Ben"
    assert told["description"] == "After turn 4"
    assert told["url"] == base + played.address
    assert told["image"] == f"{base}{played.address}/cards/4.png"
    assert told["card"] == "summary_large_image"
    card = Browser(app).get(f"{played.address}/cards/4.png")
    assert image(card.data).size == (1200, 630)
    assert card.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    earlier = Browser(app).get(f"{played.address}?turn=2").text
    assert f"{played.address}/cards/2.png" in earlier
    assert "og:" not in played.browsers[0].get(played.address).text, "players paste the address, not the page"


def test_missing_turns_and_games_before_their_start_have_no_export(
    app: Flask, services: Services, played: Match
) -> None:
    played.browsers[0].send("/games/new/nibble", opponents="Ben")
    for number, turn in ((played.number, 5), (played.number + 1, 0), (99, 0)):
        for way in ("pictures/{}.svg", "pictures/{}.png", "films/{}.webp", "cards/{}.png"):
            for browser in (Browser(app), played.browsers[0]):
                assert browser.get(f"/games/{number}/{way.format(turn)}").status_code == 404
    assert played.browsers[0].get(f"/games/{played.number + 1}/moves.txt").status_code == 404


def test_sealed_orders_are_in_no_export(app: Flask, secret_game: Match) -> None:
    for seat, orders in enumerate(("1 d4, 2 a1", "A c4, B b1")):
        submit(secret_game.services, secret_game.number, seat, orders)

    def exported(browser: Browser) -> list[bytes]:
        return [browser.get(f"{secret_game.address}/{way}").data for way in _EXPORTS]

    before = exported(Browser(app))
    submit(secret_game.services, secret_game.number, 0, "1 ne")
    for browser in (Browser(app), *secret_game.browsers):
        assert exported(browser) == before
