"""Commands and moves with the number of their game in emails to the plain address."""

from __future__ import annotations

import re

import pytest
from sqlmodel import col, select

from server.commands.vocabulary import ABOUT_A_GAME, PLAIN
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Inbox, Player
from tests.support.server.emails import PLAY, Written, receive, reply_address, to_player, write
from tests.support.server.games import TwoPlayerGame, begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock

BOARD = "nebuchadnezzar"


@pytest.fixture
def other(services: Services, table: TwoPlayerGame, cleo: Player) -> int:
    """Start another game in which Ann has to move."""
    number = begin(services, BOARD, table.players[0], cleo, size=5)
    with reading(services.engine) as session:
        first = log.seats(session, session.get_one(Game, number))[0].player
    if first.id == cleo.id:
        submit(services, number, 0, "a1")
    return number


def moves(services: Services, number: int) -> list[str]:
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        played = [turn.body["line"]["move"] for turn in log.turns(session, game)]
    return [move for move in played if move != "a1"]


_NUMBERED = [usage.partition("NUMBER")[0] for usage in PLAIN.help_by_usage() if "NUMBER" in usage]


@pytest.mark.parametrize("command", [*_NUMBERED, "lobby ", "rules "])
def test_no_command_fails_with_a_number_that_no_row_has(
    table: TwoPlayerGame, clock: Clock, command: str
) -> None:
    """Databases cannot search for numbers with more than 18 digits, nor Python read those with 5,000."""
    for number in ("9" * 20, "9" * 5000, "\u0663" * 20):
        clock.advance(days=1)  # refusals are limited by day
        receive(table.services, table.players[0].email, PLAY, f"{command}{number}")
        assert ending(table.services)[0] in ("done", "refused")


def state(services: Services, number: int) -> str:
    with reading(services.engine) as session:
        return session.get_one(Game, number).state


def ending(services: Services) -> tuple[str, str]:
    with reading(services.engine) as session:
        row = session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first()
        assert row is not None
        return row.state, row.why


def answer(services: Services, player: Player, *lines: str) -> str:
    """Return the answer to an email to the plain address."""
    (letter,) = [each for each in write(services, player, *lines) if each.to == player.email]
    return letter.words


@pytest.mark.parametrize(
    "text",
    [
        "{n} c3",
        "#{n} c3",
        "{n}: c3",
        "game {n} c3",
        "Game #{n}: c3",
        "c3 in game {n}",
        "c3 #{n}",
        "c3 {n}",
        "{n} C3.",
    ],
)
def test_move_with_the_number_of_its_game(
    services: Services, table: TwoPlayerGame, other: int, text: str
) -> None:
    write(services, table.players[0], "Hello,", "", text.format(n=other), "", "Thanks,", "Ann")
    assert moves(services, other) == ["c3"]
    assert moves(services, table.number) == []


@pytest.mark.parametrize(
    "text", ["resign {n}", "{n} resign", "#{n}: resign", "Resign game {n}.", "resign #{n}"]
)
def test_command_with_the_number_of_its_game(
    services: Services, table: TwoPlayerGame, other: int, text: str
) -> None:
    write(services, table.players[0], text.format(n=other))
    assert (state(services, other), state(services, table.number)) == ("over", "running")


@pytest.mark.parametrize("text", ["show {n}", "game {n}", "#{n}", "{n} show", "{n}"])
def test_board_of_a_numbered_game(services: Services, table: TwoPlayerGame, other: int, text: str) -> None:
    (letter,) = write(services, table.players[0], text.format(n=other))
    assert letter.letter == "show"
    assert f"Nebuchadnezzar {other}:" in str(letter.mail["Subject"])


def test_single_game_needs_no_number(services: Services, table: TwoPlayerGame) -> None:
    assert "show" in [each.letter for each in write(services, table.players[0], "show")]
    write(services, table.players[0], "c3")
    assert moves(services, table.number) == ["c3"]
    write(services, table.players[0], "resign")
    assert state(services, table.number) == "over"


@pytest.mark.parametrize(("games", "more"), [(5, False), (6, True)])
def test_five_games_are_named_for_a_command_without_number(
    services: Services, ann: Player, ben: Player, games: int, more: bool
) -> None:
    for _ in range(games):
        begin(services, BOARD, ann, ben, size=5)
    asked = answer(services, ann, "resign")
    assert asked.count("(Nebuchadnezzar with Ben)") == 5
    assert ("You have more: write “games” for a list." in asked) == more


def test_lines_that_are_no_commands_are_quoted_in_part(services: Services, ann: Player) -> None:
    lines = [f"line {number} of my story" for number in range(1, 17)]
    told = answer(services, ann, "games", *lines)
    assert "The lines below are not commands, so Nabu did not act on them." in told
    assert [line for line in lines if f"| {line} " in told] == lines[:15]


def test_moves_are_confirmed_with_a_link_to_their_game_or_to_all_games(
    services: Services, table: TwoPlayerGame, other: int
) -> None:
    first, ann = table.number, table.players[0]
    both = answer(services, ann, f"{first} c3\n{other} d4")
    assert f"Done: “#{first} c3”, “#{other} d4”" in both
    assert re.search(r"http://\S+:\d+/games ", both)
    submit(services, first, 1, "e1")
    one = answer(services, ann, f"{first} e5")
    assert f"Done: “#{first} e5”" in one
    assert f"/games/{first} " in one


def test_move_without_number_is_asked_about_with_several_games(
    services: Services, table: TwoPlayerGame, other: int
) -> None:
    for text, choice in (("resign", "resign"), ("c3", ""), ("say hello", "say")):
        said = answer(services, table.players[0], text)
        assert f"{table.number} (Nebuchadnezzar with {table.players[1].name})" in said
        assert f"{other} (Nebuchadnezzar with Cleo)" in said
        assert f"{choice} {other}".strip() in said
        assert ending(services) == ("refused", "Unclear")
    assert (state(services, other), state(services, table.number)) == ("running", "running")
    assert moves(services, other) == moves(services, table.number) == []


def test_lines_below_a_number_are_about_the_same_game(
    services: Services, table: TwoPlayerGame, other: int, cleo: Player
) -> None:
    caused = write(services, table.players[0], f"{other} c3", "draw", "say Good luck!")
    assert "Good luck!" in to_player(cleo, caused).words
    assert moves(services, other) == ["c3"]


def test_several_games_and_the_account_in_one_email(
    services: Services, table: TwoPlayerGame, other: int
) -> None:
    caused = write(
        services, table.players[0], "games", f"{other} c3", f"{table.number} d4", "zone Europe/Berlin"
    )
    assert moves(services, other) == ["c3"]
    assert moves(services, table.number) == ["d4"]
    (own,) = [each for each in caused if each.to == table.players[0].email]
    assert "Your time zone is Europe/Berlin" in own.words


@pytest.mark.parametrize("wrong", ["resign 77", "zone Nowhere/At-all", "{n} e9"])
def test_email_is_carried_out_completely_or_not_at_all(
    services: Services, table: TwoPlayerGame, other: int, wrong: str
) -> None:
    write(services, table.players[0], f"{other} c3", wrong.format(n=table.number))
    assert ending(services)[0] == "refused"
    assert moves(services, other) == []


def test_game_of_others_is_answered_like_a_missing_one(
    services: Services, table: TwoPlayerGame, cleo: Player
) -> None:
    private = begin(services, BOARD, *table.players, size=5, private="on")
    dan = add_player(services, "dan@example.org", "Dan")
    for text in ("resign {n}", "{n} c3", "show {n}", "note {n} x", "{n} accept", "tell {n} Ben hi"):
        there, missing = (
            re.sub(rf"\b{number}\b", "N", answer(services, dan, text.format(n=number)).split("You wrote")[0])
            for number in (private, 77)
        )
        assert there == missing
        assert "You have no seat in game N" in there or "you have no game N" in there
    assert state(services, private) == "running"


@pytest.mark.game("nelaxtam", size=10)
def test_number_that_may_be_part_of_the_move_is_asked_about(
    services: Services, table: TwoPlayerGame, cleo: Player
) -> None:
    """“1 hold” is an order of troop 1; in game 1 “hold” is one of all troops."""
    player = table.players[0]
    words = answer(services, player, "1 hold")
    assert ending(services) == ("refused", "Unclear"), "its only game has the number 1"
    assert "The number in “1 hold” may be the number of a game or a part of the move." in words
    begin(services, "nelaxtam", player, cleo, size=10)
    write(services, player, "1 hold")
    assert ending(services) == ("refused", "Unclear")
    assert "“hold” is not an order for the invasion" in answer(services, player, "#1 hold")


@pytest.mark.game("nelaxtam", size=10, troops=1, sea=0)
def test_number_that_may_be_part_of_the_move_is_answered_with_each_meaning(
    services: Services, table: TwoPlayerGame, cleo: Player
) -> None:
    for seat, place in enumerate(("1 d4", "A c4")):
        table.submit(seat, place)
    with reading(services.engine) as session:
        first = log.seats(session, session.get_one(Game, table.number))[0].player
    meanings = "Which of these did you mean? #1 hold #1 1 hold --"
    assert meanings in answer(services, first, "1 hold")
    begin(services, "nelaxtam", first, cleo, size=10)
    assert meanings in answer(services, first, "1 hold"), "in the other game it is no move"


def test_move_below_prose_is_not_played(services: Services, table: TwoPlayerGame) -> None:
    for text in (f"{table.number} c3", "c3"):
        write(services, table.players[0], "I have a question about the rules.", "", text)
        assert ending(services) == ("refused", "NotUnderstood")
    assert moves(services, table.number) == []


def test_doubtful_move_is_asked_about_as_in_a_reply(services: Services, table: TwoPlayerGame) -> None:
    write(services, table.players[0], f"{table.number} c3", "", "or d4?")
    assert ending(services) == ("refused", "Unclear")
    write(services, table.players[0], f"say {table.number} hello", f"{table.number} c3")
    assert ending(services) == ("refused", "Unclear")
    assert moves(services, table.number) == []


def test_extra_text_beside_a_move_is_kept(services: Services, table: TwoPlayerGame) -> None:
    (letter,) = [
        each
        for each in write(services, table.players[0], f"{table.number} c3", "", "My son would be proud of it.")
        if each.to == table.players[0].email
    ]
    assert "My son would be proud of it." in letter.words
    assert "Reply “send”" in letter.words


@pytest.mark.parametrize("text", ["resign {n}", "#{n} c3", "show {n}", "draw #{n}"])
def test_reply_about_one_game_can_name_another(
    services: Services, table: TwoPlayerGame, other: int, text: str
) -> None:
    caused: list[Written] = receive(
        services, table.players[0].email, reply_address(services, table.number, 0), text.format(n=other)
    )
    assert ending(services)[0] == "done", [each.words for each in caused]
    assert moves(services, table.number) == []
    assert state(services, table.number) == "running"


def test_each_game_command_is_known_at_the_plain_address(services: Services, table: TwoPlayerGame) -> None:
    """The answer calls none of them “not a command”."""
    for word in ABOUT_A_GAME:
        for text in (f"{word.word} {table.number} x", f"{table.number} {word.word} x", str(word.word)):
            for letter in receive(services, table.players[0].email, PLAY, text):
                assert f"“{text}” is not a command. To move" not in letter.words, text


def test_up_to_three_words_after_a_number_are_about_its_game(services: Services, table: TwoPlayerGame) -> None:
    few, many = (f"{table.number} {words}" for words in ("red blue green", "red blue green pink"))
    assert f"is neither a move nor a command in game {table.number}" in answer(services, table.players[0], few)
    assert f"“{many}” is not a command. To move in a game" in answer(services, table.players[0], many)


def test_rules_of_a_numbered_game(services: Services, table: TwoPlayerGame) -> None:
    (letter,) = write(services, table.players[0], f"rules {table.number}")
    assert letter.letter == "rules"
    assert "Nebuchadnezzar" in letter.words
    private = begin(services, "nibble", *table.players, private="on")
    dan = add_player(services, "dan@example.org", "Dan")
    assert f"There is no game {private} that you can see." in answer(services, dan, f"rules {private}")


def test_text_that_may_be_for_nabu_is_not_sent_to_opponents(services: Services, table: TwoPlayerGame) -> None:
    """With one game “say” needs no number, but its synonyms do."""
    for text in ("Message for the administrator: Ben cheats", "Chat does not work", "Press the button?"):
        write(services, table.players[0], text)
        assert ending(services) == ("refused", "NotUnderstood"), text
    caused = write(services, table.players[0], f"chat {table.number} hello")
    assert "hello" in to_player(table.players[1], caused).words


def test_confirmation_of_a_message_names_its_game_and_its_readers(
    services: Services, table: TwoPlayerGame
) -> None:
    ann, ben = table.players
    for text in ("say See you", f"tell {ben.name} See you", f"say {table.number} See you"):
        confirmed = to_player(ann, receive(services, ann.email, PLAY, text))
        assert (
            f"Your message has been sent to {ben.name} in game {table.number}, Nebuchadnezzar: “See you”"
            in confirmed.words
        )


@pytest.mark.parametrize("text", ["put k13 k14 l12", "Put K13, K14 and L12"])
@pytest.mark.parametrize("sign", ["", "#"])
def test_move_in_prose_after_a_number_is_suggested(services: Services, text: str, sign: str) -> None:
    ann, ben = add_player(services, "a@x.example", "Anna"), add_player(services, "b@x.example", "Bob")
    begin(services, "nibble", ann, ben)
    number = begin(services, "nexus", ann, ben)
    answers = [receive(services, each.email, PLAY, f"{sign}{number} {text}")[0] for each in (ann, ben)]
    meant = f"write: {number} add {'k13 k14 l12' if text.islower() else 'k13, k14, l12'}"
    assert [meant in answer.words for answer in answers].count(True) == 1, [each.words for each in answers]
