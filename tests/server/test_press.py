"""What is said, and what is noted."""

from __future__ import annotations

from server import chronicle
from server.db import reading, writing
from server.game import log, press
from server.models import Game
from server.office import Office
from server.outbox import Post
from tests.server.test_play import Table


def test_a_note_is_its_writer_s_alone(office: Office) -> None:
    table = Table(office, "nebuchadnezzar", size=5)
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        game = session.get_one(Game, table.number)
        press.keep(post, game, 0, "I fear e5.", private=True)
        press.say(post, game, 1, "Good luck!")
    with reading(office.engine) as session:
        game = session.get_one(Game, table.number)
        names = [player.name for _, player in log.seats(session, game)]
        seen = [
            [note.text for note in chronicle.press_of(session, office.vault, game, names, seat)]
            for seat in (0, 1)
        ]
    assert seen == [["I fear e5.", "Good luck!"], ["Good luck!"]]
    assert table.letters().count("press") == 1


def test_who_says_something_is_there(office: Office) -> None:
    """Otherwise his missed turn would be counted, and the third would lose the game."""
    table = Table(office, "nelaxtam")
    with writing(office.engine) as session:
        game = session.get_one(Game, table.number)
        press.say(Post(session, office.vault, office.now()), game, 1, "I am away until Monday.")
    with reading(office.engine) as session:
        seats = [seat for seat, _ in log.seats(session, session.get_one(Game, table.number))]
    assert [seat.heard_turn for seat in seats] == [None, 1]
