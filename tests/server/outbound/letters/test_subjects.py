"""The parts of a letter that an inbox shows: sender, subject and preview."""

from __future__ import annotations

import email
from datetime import UTC, datetime
from email.policy import default
from zoneinfo import ZoneInfo

import pytest

from mail.outgoing.composing import Mail, compose
from mail.reading.quoting import previewed, split
from rules.reasons import Reason
from rules.records.turns import Left, Moved, Ordered, Turn
from rules.registry import RULES
from server.clock.moments import write_soon
from server.game.play.target import Target
from server.game.terms.wording import deed
from server.jobs.table import REMINDERS
from server.outbound.letters.subjects import first_sentence, state_line
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.pictures.letters import Shown
from tests.support.server.emails import PLAY, Written, letters, receive, sender, to_player
from tests.support.server.games import TwoPlayerGame, begin, offer_draw, reply
from tests.support.server.players import add_player, mail_every_turn
from tests.support.server.services import Clock


@pytest.fixture
def flat(services: Services) -> TwoPlayerGame:
    """Return a small game of two players who get an email after every turn."""
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    mail_every_turn(services)
    return table


def preview(written: Written) -> str:
    """Return the preview of an email."""
    return Shown("", "", "", written.html).preview


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (Moved(1, "a2"), "Ben played a2."),
        (Moved(0, "a2"), "You played a2."),
        (Moved(1, "13-8, 6-5", (5, 1)), "Ben rolled 5 and 1 and played 13-8, 6-5."),
        (Moved(1, "pass", (6, 6)), "Ben rolled 6 and 6 and passed."),
        (Moved(1, "pass"), "Ben passed."),
        (Left(1, Reason.RESIGNED), "Ben resigned."),
        (Left(0, Reason.TIMEOUT), "You ran out of time."),
        (Ordered(((0, "1 n"), (1, "A n"), (2, "x"))), "All orders were opened."),
        (Ordered(((2, "x"),)), "The orders were opened; you and Ben gave none."),
        (Ordered(()), "No player gave orders."),
    ],
)
def test_turn_is_described_in_a_sentence(turn: Turn, told: str) -> None:
    assert deed(RULES["nebuchadnezzar"], turn, ("Ann", "Ben", "Cleo"), 0) == told


@pytest.mark.parametrize(
    ("game_type", "turn", "told"),
    [
        ("nibble", Moved(1, "a2 c3"), "Ben took a2 c3."),
        ("nebuchadnezzar", Moved(1, "xb3-d4"), "Ben flipped b3-d4."),
        ("nebuchadnezzar", Moved(1, "swap"), "Ben swapped colours."),
        ("nexus", Moved(0, "add m13 m14 n12"), "You added m13 m14 n12."),
        ("nexus", Moved(1, "move n11-m12 l12-m12"), "Ben moved n11-m12 l12-m12."),
        ("nexus", Moved(1, "rings m10 m11 > p9 q9"), "Ben changed rings m10 m11 > p9 q9."),
        ("nardshir", Moved(0, "hand/3 11/14*", (3, 3)), "You rolled 3 and 3 and played hand/3 11/14*."),
        ("nardshir", Moved(1, "hand/3 11/14*", (3, 3)), "Ben rolled 3 and 3 and played hand/22 14/11*."),
        ("nardshir", Moved(1, "24/off", (1, 1)), "Ben rolled 1 and 1 and played 1/off."),
    ],
)
def test_move_has_one_verb_and_the_readers_numbers(game_type: str, turn: Moved, told: str) -> None:
    assert deed(RULES[game_type], turn, ("Ann", "Ben"), 0) == told


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime(2026, 3, 4, 17, tzinfo=UTC), "Wed 18:00 UTC+1"),
        (datetime(2026, 3, 1, 17, tzinfo=UTC), "Sun 18:00 UTC+1"),
        (datetime(2026, 3, 12, 17, tzinfo=UTC), "Thu 12 March, 18:00 UTC+1"),
        (datetime(2026, 4, 2, 17, tzinfo=UTC), "Thu 2 April, 19:00 UTC+2"),
    ],
)
def test_moment_is_short_where_space_is_limited(moment: datetime, written: str) -> None:
    assert write_soon(moment, ZoneInfo("Europe/Berlin"), datetime(2026, 3, 2, 12, tzinfo=UTC)) == written


def test_preview_contains_state_and_deadline_however_long_the_move() -> None:
    assert state_line("Your move", "Ben played a2.", "Wed 18:00") == "Your move: Ben played a2. By Wed 18:00."
    assert state_line("Waiting for Ben", "You played a2.", "") == "Waiting for Ben: you played a2."
    assert state_line("Your move", "", "Wed 18:00") == "Your move. By Wed 18:00."
    long = state_line("Your move", f"Ben played {'a2 ' * 100}", "Wed 18:00")
    assert long.startswith("Your move: Ben played a2 ")
    assert long.endswith("… By Wed 18:00.")
    assert len(long) <= 140


def test_report_preview_says_what_happened_and_who_acted(flat: TwoPlayerGame) -> None:
    first, second = flat.players
    caused = reply(flat, 0, "c3")
    mine, theirs = to_player(first, caused), to_player(second, caused)
    assert (sender(theirs), sender(mine)) == (f"{first.name} via Nabu", "Nabu")
    assert preview(theirs) == f"Your move: {first.name} played c3. By Wed 12:00 UTC."
    assert preview(mine) == f"Waiting for {second.name}: you played c3."
    assert preview(theirs) not in theirs.text


def test_message_and_question_are_from_their_writer(flat: TwoPlayerGame) -> None:
    first, second = flat.players
    reply(flat, 0, "c3")
    for text in ("say Hello there!", "undo", "draw"):
        assert sender(to_player(second, reply(flat, 0, text))) == f"{first.name} via Nabu", text
    assert sender(to_player(first, reply(flat, 0, "show"))) == "Nabu"


def test_resolved_orders_have_no_actor(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=2)
    table.submit(0, "1 a1, 2 j6")
    table.submit(1, "A b1, B j7")
    report = letters(services)[-1]
    assert sender(report) == "Nabu"
    assert preview(report).startswith("Write your orders: all orders were opened. By ")


NAMES = (
    'Ben "the Bishop"',
    "Ben, Bob & Co.",
    "Bén Çelik",
    "Ben <x@y.example>",
    "=?utf-8?q?Ben?=",
    "Ben\\",
    "B\N{DESERET CAPITAL LETTER LONG I}",
)


@pytest.mark.parametrize("name", NAMES)
def test_any_name_stays_a_name(name: str) -> None:
    written = f"{name} via Nabu <play@games.example.org>"
    day = datetime(2026, 3, 2, tzinfo=UTC)
    raw = compose(Mail(written, "ann@example.org", "", "A", "b", "c", "1@games.example.org", day))
    (read,) = email.message_from_bytes(raw, policy=default)["From"].addresses
    assert (read.display_name, read.addr_spec) == (f"{name} via Nabu", "play@games.example.org")


def test_result_has_its_own_subject_in_the_thread(flat: TwoPlayerGame) -> None:
    first, second = flat.players
    number = flat.number
    caused = reply(flat, 0, "resign")
    won, lost = to_player(second, caused), to_player(first, caused)
    assert won.mail["Subject"] == f"You won Nebuchadnezzar {number} against {first.name}"
    assert lost.mail["Subject"] == f"{second.name} won Nebuchadnezzar {number}"
    assert preview(won) == f"You won: {first.name} resigned."
    assert str(won.mail["References"]).split()[0] == f"<game-{number}@games.example.org>"


def test_draw_names_no_winner(flat: TwoPlayerGame) -> None:
    with writing(flat.services.engine) as session:
        action = ActionContext(session, flat.services.sealer, flat.services.now())
        for seat, player in enumerate(flat.players):
            offer_draw(action, session.get_one(Player, player.id), Target(flat.number, seat, 1))
    subject = letters(flat.services)[-1].mail["Subject"]
    assert subject in {f"Nebuchadnezzar {flat.number} with {each.name} is a draw" for each in flat.players}


def test_subjects_contain_the_state_if_the_player_prefers_it(flat: TwoPlayerGame) -> None:
    first, second = flat.players
    receive(flat.services, second.email, "play@games.example.org", "subject state")
    caused = reply(flat, 0, "c3")
    game = f"Nebuchadnezzar {flat.number} with {first.name}"
    assert to_player(second, caused).mail["Subject"] == f"Your move: {game}, turn 2"
    assert to_player(first, caused).mail["Subject"] == f"Nebuchadnezzar {flat.number}: Ann - Ben"
    assert to_player(second, reply(flat, 1, "a1")).mail["Subject"] == f"{game}, turn 3"
    receive(flat.services, second.email, "play@games.example.org", "subject game")
    assert to_player(second, reply(flat, 0, "c4")).mail["Subject"] == f"Nebuchadnezzar {flat.number}: Ann - Ben"


def test_reminder_of_one_move_shows_the_game_and_can_be_answered(
    services: Services, clock: Clock, flat: TwoPlayerGame
) -> None:
    first, second = flat.players
    clock.advance(days=1, hours=13)
    assert REMINDERS.run_next(services.engine, services.sealer, services.now())
    mail = letters(services)[-1]
    assert (
        mail.mail["Subject"] == f"Reminder: Nebuchadnezzar {flat.number} with {second.name}, by Wed 12:00 UTC"
    )
    assert preview(mail) == "Your move: turn 1. By Wed 12:00 UTC."
    assert str(mail.mail["References"]) == f"<game-{flat.number}@games.example.org>"
    receive(services, first.email, str(mail.mail["Reply-To"]), "c3")
    assert flat.game().turn == 2


def test_reminder_of_several_moves_names_the_first_deadline(services: Services, clock: Clock) -> None:
    ann, ben = add_player(services, "ann@example.org", "Ann"), add_player(services, "ben@example.org", "Ben")
    for _ in range(2):
        begin(services, "nelaxtam", ann, ben)
    clock.advance(days=1, hours=13)
    assert REMINDERS.run_next(services.engine, services.sealer, services.now())
    assert letters(services)[-1].mail["Subject"] == "Reminder: 2 games, the first by Wed 12:00 UTC"


@pytest.mark.parametrize(
    ("seat", "text", "failed"),
    [
        (0, "zz99", "Not played"),
        (0, "c3\nd4", "Not played"),
        (1, "c3", "Not played"),
        (1, "zz99", "Not understood"),
        (0, "tell Nobody hello", "Not sent"),
        (0, "give 1d", "Not done"),
    ],
)
def test_subject_of_a_refusal_says_what_did_not_happen(
    flat: TwoPlayerGame, seat: int, text: str, failed: str
) -> None:
    (answer,) = reply(flat, seat, text)
    assert (answer.letter, answer.mail["Subject"]) == ("refusal", f"{failed}: Nebuchadnezzar {flat.number}")
    root, answered = str(answer.mail["References"]).split()
    assert root == f"<game-{flat.number}@games.example.org>", "it stays in the thread of the game"
    assert answer.mail["In-Reply-To"] == answered
    address, subject = str(answer.mail["Reply-To"]), f"Re: {answer.mail['Subject']}"
    again = receive(flat.services, flat.players[seat].email, address, "", subject=subject)
    assert [each.letter for each in again] == ["refusal"], "its subject is neither automatic nor a command"


@pytest.mark.parametrize(("text", "failed"), [("nonsense", "Not understood"), ("leave 99", "Not done")])
def test_subject_of_a_refusal_at_the_plain_address_says_the_same(
    services: Services, ann: Player, text: str, failed: str
) -> None:
    (answer,) = receive(services, ann.email, PLAY, text)
    assert (answer.letter, answer.mail["Subject"]) == ("refusal_account", f"{failed}: your email to Nabu")


@pytest.mark.parametrize("broken", [False, True])
def test_preview_quoted_alone_is_recognized(broken: bool) -> None:
    """The preview contains the opponent's move, which must not count as the player's."""
    line = previewed("Your move: Ben played a2. By Wed 18:00.")
    line = line.replace(". By", ".\nBy") if broken else line
    assert split(f"c4\n\nVon Nabu am Montag\n\n{line}\n\nYour move.").text == "c4\n\nVon Nabu am Montag"


@pytest.mark.parametrize(
    ("text", "first", "rest"),
    [
        ("You have not moved yet.", "You have not moved yet.", ""),
        ("It is over. Write: rematch", "It is over.", "Write: rematch"),
        ("“Hi. There. c4” is no move. Write c4.", "“Hi. There. c4” is no move.", "Write c4."),
        ("Is it yours? “c4” may be a move.", "Is it yours?", "“c4” may be a move."),
        ("The limit is 3.5 MB, e.g. for files.", "The limit is 3.5 MB, e.g. for files.", ""),
        ("J. Smith plays against Dr. Who. Write: watch 3", "J. Smith plays against Dr. Who.", "Write: watch 3"),
    ],
)
def test_first_sentence(text: str, first: str, rest: str) -> None:
    assert first_sentence(text) == (first, rest)


def test_headline_of_a_refusal_is_its_first_sentence(services: Services, ann: Player) -> None:
    (answer,) = receive(services, ann.email, PLAY, "let me sleep")
    headline, _, body = answer.html.partition("</h1>")
    assert headline.endswith("“let me sleep” is not a command.")
    assert "To move in a game, reply to an email about it" in body.partition("</p>")[0]
    assert "“let me sleep” is not a command. To move in a game, reply to an email about it" in answer.words
