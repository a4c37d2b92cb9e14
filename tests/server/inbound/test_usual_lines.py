"""Lines that are the same in a person's emails: learned after emails about two turns, then set aside."""

from __future__ import annotations

import json

import pytest

from server.game.log import log
from server.inbound.usual_lines import UsualLines
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Address
from tests.support.server.emails import PLAY, Written, receive, reply_address
from tests.support.server.games import TwoPlayerGame, begin, mover

_SQUARES = [f"{letter}{number}" for number in (1, 8, 2) for letter in "abcdefgh"]


@pytest.fixture
def board(services: Services) -> TwoPlayerGame:
    return TwoPlayerGame(services, "nebuchadnezzar", size=8)


def last_move(table: TwoPlayerGame) -> str:
    with reading(table.services.engine) as session:
        (*_, last) = log.turns(session, table.game())
        return str(last.body["line"]["move"])


def seats_of(services: Services, number: int) -> list[str]:
    return [player.email for player in TwoPlayerGame.of(services, number).players]


class Office:
    """The player to move and their emails; the opponent answers each move at once."""

    def __init__(self, table: TwoPlayerGame) -> None:
        self.table = table
        self.seat, self.address, _ = mover(table)
        self._others = iter(_SQUARES)

    def write(self, text: str, **changes: str) -> list[Written]:
        to = reply_address(self.table.services, self.table.number, self.seat)
        return receive(self.table.services, changes.get("sender", self.address), to, text)

    def plays(self, text: str) -> str:
        """Write, and return the move that this played, "" for none."""
        turn = self.table.game().turn
        self.write(text)
        if self.table.game().turn == turn:
            return ""
        played = last_move(self.table)
        self.opponent_moves()
        return played

    def opponent_moves(self) -> None:
        self.table.submit(1 - self.seat, next(self._others))

    def teach(self, *moves: str, around: str) -> None:
        """Send two moves within the same lines, and play them if these lines keep Nabu from it."""
        for text in moves:
            if not self.plays(around.format(text)):
                self.table.submit(self.seat, text)
                self.opponent_moves()


@pytest.fixture
def office(board: TwoPlayerGame) -> Office:
    return Office(board)


@pytest.mark.parametrize(
    "around",
    [
        "{}\nRoom C3",
        "{}\nKim Lee\nRaum D5, Ebene 2",
        "{}\n\nwir helfen: 24/7 hotline, Haus D5",
        "{}\n\nKim Lee\nStab\nB2",
        "Gateway 7: checked in c5\n{}",
        "Gateway 7: checked in c5\n\n{}\n\nKim, c/o c6",
        "Muster & Söhne, Tor D5\n\n{}\n\nIf you are not meant, leave it in box e5.",
        "Stufe: VS-NfD\n\nBitte nicht d5 nutzen\n\n{}",
    ],
)
def test_lines_of_two_turns_are_set_aside_from_then_on(office: Office, around: str) -> None:
    office.teach("c4", "f4", around=around)
    assert office.plays(around.format("d4")) == "d4"
    assert office.plays(around.format("e4")) == "e4"


def test_one_email_makes_no_line_usual(office: Office) -> None:
    around = "{}\nKim Lee\nRaum D5, Ebene 2"
    office.teach("c4", around=around)
    assert office.plays(around.format("d4")) == ""


def test_emails_about_one_turn_count_once(office: Office) -> None:
    around = "{}\nKim Lee\nRaum D5, Ebene 2"
    for text in ("c4", "d4", "e4", "f4"):
        assert office.plays(around.format(text)) == ""


@pytest.mark.parametrize("around", ["Hello Ben!\n\n{}", "{}", "That was a surprise.\n\n{}", "Nice one\n{}"])
def test_same_move_is_played_in_each_game(services: Services, board: TwoPlayerGame, around: str) -> None:
    """It is the last line of each email, also of those that were refused."""
    number, writer = board.number, mover(board)[1]
    for _ in range(4):
        table = TwoPlayerGame.of(services, number)
        seat, address, to = mover(table)
        if address != writer:
            table.submit(seat, "h8")
            seat, address, to = mover(table)
        turn = table.game().turn
        (refused, *_) = receive(services, address, to, f"Is it not d4?\n\n{around.format('c4')}")
        assert (refused.letter, table.game().turn) == ("refusal", turn)
        receive(services, address, to, around.format("c4"))
        if table.game().turn == turn:
            assert around == "Nice one\n{}"
            receive(services, address, to, "c4")
        assert last_move(table) == "c4"
        number = begin(services, "nebuchadnezzar", *board.players, size=8)


def test_repeated_command_is_never_set_aside(services: Services, board: TwoPlayerGame) -> None:
    writer = mover(board)[1]
    for turn in range(3):
        table = TwoPlayerGame.of(services, begin(services, "nebuchadnezzar", *board.players, size=8))
        seat = seats_of(services, table.number).index(writer)
        to = reply_address(services, table.number, seat)
        receive(services, writer, to, "draw\n\nKim Lee\nresign")
        assert not table.seat(seat).proposals
        receive(services, writer, to, "My answer today:\nKim Lee\nresign")
        assert table.game().state == ("running" if turn < 2 else "over")
        receive(services, writer, to, "Hello!\nresign")
        assert table.game().state == "over"
    (stopped,) = receive(services, writer, to, "Hello!\nstop\nKim Lee")
    assert stopped.letter == "mail_stopped"


def test_yes_is_never_set_aside(office: Office) -> None:
    for wrong in ("c44", "d44", "e44"):
        (asked,) = office.write(f"{wrong}\n\nKim Lee")
        assert "Did you mean" in asked.words
        fields = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
        to = reply_address(office.table.services, office.table.number, office.seat)
        turn = office.table.game().turn
        receive(office.table.services, office.address, to, "yes\n\nKim Lee", fields)
        assert office.table.game().turn == turn + 1
        office.opponent_moves()


def test_second_move_in_place_of_a_signature_is_found(office: Office) -> None:
    office.teach("c4", "f4", around="{}\nKim Lee\nRaum D5, Ebene 2")
    for text in ("d4\n\ne4", "d4\ne4\nKim Lee\nRaum D5, Ebene 2", "d4\n\nor e4?\nKim Lee", "d4\nKim Lee\ne4"):
        assert office.plays(text) == "", text


def test_corrected_move_is_not_learned(office: Office) -> None:
    """Twice the same second move was refused; it still is."""
    for text in ("c4", "f4"):
        assert office.plays(f"{text}\n\nd5") == ""
        assert office.plays(f"{text}\n\nKim Lee") == text
    assert office.plays("e4\n\nd5") == ""
    assert office.plays("e4\n\nKim Lee\n\nd5") == ""


def test_orders_are_no_signature(services: Services) -> None:
    """The last order is the same in emails that were refused: without it the others would be another move."""
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=2, sea=0)
    address = table.players[0].email
    for first in ("1 go nowhere at all", "1 stay where it is"):
        number = begin(services, "nelaxtam", *table.players, size=10, troops=2, sea=0)
        to = reply_address(services, number, seats_of(services, number).index(address))
        (refused, *_) = receive(services, address, to, f"{first}\n\n2 a1")
        assert refused.letter == "refusal"
    with reading(services.engine) as session:
        assert not UsualLines(session, services.sealer, address).has("2 a1")


def test_repeated_greetings_and_wishes_reach_the_opponent(office: Office) -> None:
    office.plays("words send")
    office.write("words send")
    for text in ("c4", "d4", "e4", "f4"):
        answers = office.write(f"Hello Ben,\n\n{text}\n\nGood luck!\n\nThe corner is mine now.\nAnn")
        heard = [each for each in answers if "The corner is mine now." in each.words]
        assert "Good luck!" in heard[0].words
        office.opponent_moves()


def test_sent_text_is_no_stationery(office: Office) -> None:
    """Its writer agrees each time that the opponent gets it."""
    for text in ("c4", "d4", "e4", "f4"):
        answers = office.write(f"{text}\n\nThe corner is mine now.")
        (asked,) = (each for each in answers if each.to == office.address)
        assert "Reply “send” to send it" in asked.words
        to = reply_address(office.table.services, office.table.number, office.seat)
        fields = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
        receive(office.table.services, office.address, to, "send", fields)
        office.opponent_moves()


def test_stationery_may_change(office: Office) -> None:
    old, new = "{}\nKim Lee\nRaum D5, Ebene 2", "{}\nKim Lee, Haus E3\nder Umzug ist am c8"
    office.teach("c4", "f4", around=old)
    assert office.plays(old.format("d4")) == "d4"
    office.teach("e4", "c5", around=new)
    assert office.plays(new.format("f5")) == "f5"
    assert office.plays(old.format("d3")) == "d3"


def test_two_people_can_share_an_address(office: Office) -> None:
    first, second = "{}\nKim\nRaum D5, Ebene 2", "Gateway 7: checked in c5\n\n{}\nJo\nder Laden, c/o e8"
    for text, around in (("c4", first), ("f4", second), ("d4", first), ("e4", second)):
        office.teach(text, around=around)
    assert office.plays(first.format("f5")) == "f5"
    assert office.plays(second.format("d3")) == "d3"


def test_message_keeps_its_usual_end(office: Office) -> None:
    around = "Gateway 7: checked in c5\n\n{}\n\nKim Lee\nRaum D5, Ebene 2"
    office.teach("c4", "f4", around=around)
    answers = office.write(around.format("say See you"))
    (heard,) = (each for each in answers if each.to != office.address)
    assert "See you | Kim Lee | Raum D5, Ebene 2" in heard.words
    assert "Gateway" not in heard.words


def test_emails_of_others_teach_nothing(office: Office) -> None:
    around = "{}\nKim Lee\nRaum D5, Ebene 2"
    for text in ("c4", "f4"):
        office.write(around.format(text), sender="stranger@work.example")
        office.table.submit(office.seat, text)
        office.opponent_moves()
    assert office.plays(around.format("d4")) == ""


def test_commands_to_the_plain_address_are_found_among_usual_lines(office: Office) -> None:
    around = "Gateway 7: checked in c5\n\n{}\n\nKim Lee\nRaum D5, Ebene 2"
    assert receive(office.table.services, office.address, PLAY, around.format("games"))[0].letter != "games"
    office.teach("c4", "f4", around=around)
    (answer,) = receive(office.table.services, office.address, PLAY, around.format("games"))
    assert answer.letter == "games"
    assert "not commands" not in answer.words


def test_only_hashes_of_a_few_lines_are_stored(office: Office) -> None:
    text = "\n".join(f"line {number} of a long signature" for number in range(100))
    office.write(f"Raum D5, Ebene 2\n\nc4\n\n{text}")
    office.write(f"Raum D5, Ebene 2\n\nd4\n\n{text}")
    with writing(office.table.services.engine) as session:
        row = session.get_one(Address, office.address)
        stored = json.dumps(row.usual_lines)
        usual = UsualLines(session, office.table.services.sealer, office.address)
        for turn in range(2, 40):
            usual.learn(f"1.{turn}", [f"{turn} {number}" for number in range(15)])
        assert len(row.usual_lines or ()) == 60
    assert stored.count("[") == 20
    assert "Raum" not in stored
    assert "signature" not in stored
