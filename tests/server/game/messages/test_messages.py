"""Messages and notes."""

from __future__ import annotations

import pytest

from server.game.log import log
from server.game.messages import messages
from server.game.views import history
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import letters, receive
from tests.support.server.games import TwoPlayerGame


def test_note_is_visible_only_to_its_writer(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        game = session.get_one(Game, table.number)
        messages.keep(action, game, 0, "I fear e5.", private=True)
        messages.say(action, game, 1, "Good luck!")
    with reading(services.engine) as session:
        game = session.get_one(Game, table.number)
        names = [player.name for _, player in log.seats(session, game)]
        seen = [
            [note.text for note in history.messages_of(session, services.sealer, game, names, seat)]
            for seat in (0, 1)
        ]
    assert seen == [["I fear e5.", "Good luck!"], ["Good luck!"]]
    assert table.letters().count("message") == 1


@pytest.mark.parametrize("length", [7999, 8000, 8001])
def test_message_is_stored_and_emailed_up_to_8000_characters(services: Services, length: int) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    text = "".join(str(place % 10) for place in range(length))
    with writing(services.engine) as session:
        messages.say(
            ActionContext(session, services.sealer, services.now()),
            session.get_one(Game, table.number),
            1,
            text,
        )
    with reading(services.engine) as session:
        game = session.get_one(Game, table.number)
        (kept,) = history.messages_of(session, services.sealer, game, ["Ann", "Ben"], 0)
    assert kept.text == text[:8000]
    (mailed,) = [letter.text for letter in letters(services) if letter.letter == "message"]
    said = "".join(mailed.split())
    assert text[:8000] in said
    assert (text in said) is (length <= 8000)


def test_message_counts_as_activity(services: Services) -> None:
    """Otherwise the missed turn would count, and the third one would lose the game."""
    table = TwoPlayerGame(services, "nelaxtam")
    with writing(services.engine) as session:
        game = session.get_one(Game, table.number)
        messages.say(
            ActionContext(session, services.sealer, services.now()), game, 1, "I am away until Monday."
        )
    with reading(services.engine) as session:
        seats = [seat for seat, _ in log.seats(session, session.get_one(Game, table.number))]
    assert [seat.heard_turn for seat in seats] == [None, 1]


@pytest.mark.parametrize("text", ["say Hello!", "note Who is that?", "decline\nsay Hello!"])
def test_no_messages_or_notes_before_the_start(services: Services, ann: Player, ben: Player, text: str) -> None:
    (invitation, _) = receive(services, "ann@example.org", "play@games.example.org", "challenge Ben nibble")
    (answer,) = receive(services, "ben@example.org", str(invitation.mail["Reply-To"]), text)
    assert (answer.letter, answer.to) == ("refusal", "ben@example.org")
    assert (
        "Game 1 has not started yet. You can write messages and notes once all have accepted." in answer.words
    )
    receive(services, "ben@example.org", str(invitation.mail["Reply-To"]), "accept\nsay Hello!")
    assert "message" in [letter.letter for letter in letters(services) if letter.to == "ann@example.org"]
