"""“Did you mean”: suggestions of players, games, options and commands for emails to the plain address."""

from __future__ import annotations

import pytest

from rules.registry import RULES
from server.interpretation.nearest import commands_like, moves_like
from server.interpretation.reply_checks import moves_in
from server.interpretation.suggestions import meant_by
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from tests.support.rules.random_games import first_position
from tests.support.server.emails import PLAY, receive
from tests.support.server.games import TwoPlayerGame, move, mover, reply
from tests.support.server.players import add_player


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("challenge anne nardshir", ["challenge Ann nardshir", "challenge Anna nardshir"]),
        ("challenge Ann nardsir", ["challenge Ann nardshir"]),
        ("chalenge ben nible", ["challenge ben nibble"]),
        ("challenge Bne nardshir", ["challenge Ben nardshir"]),
        ("challenge ben nelaxtam sise=10 tme=3d", ["challenge ben nelaxtam size=10 time=3d"]),
        ("challenge ben to nibble", ["challenge ben nibble"]),
        ("challenge Enkidoo nibble", ["challenge Enkidu nibble"]),
        ("challenge who@example.org nibbel", ["challenge who@example.org nibble"]),
        ("challenge Gest nibble", []),
        ("challenge Quiet nibble", []),
        ("challenge Quiett nibble", []),
        ("rules nardsir", ["rules nardshir"]),
        ("challenge Karl nibble", ["challenge Karl Huber nibble"]),
        ("who karl", ["who Karl Huber"]),
        ("blok Karl", ["block Karl Huber"]),
        ("challenge Ben and Anna nexus players=3", ["challenge Ben, Anna nexus players=3"]),
        ("challenge ben, anna nexus", ["challenge ben, anna nexus players=3"]),
        ("challenge a@x.example b@x.example nexus", ["challenge a@x.example, b@x.example nexus players=3"]),
        ("challenge a@x.example, Ben nexus", ["challenge a@x.example, Ben nexus players=3"]),
        ("challenge Ben & b@x.example nexus", ["challenge Ben, b@x.example nexus players=3"]),
        ("challenge ben & an nexus", ["challenge ben, Ann nexus players=3"]),
        ("seek nible tme=1d", ["seek nibble time=1d"]),
        ("seek nible ratings=1400-", ["seek nibble rating=1400-"]),
        ("seek", []),
        ("seek nible 2 days unrated", ["seek nibble 2 days unrated"]),
        ("seek nibble 2 days unrated", []),
        ("zone Germny", ["zone Europe/Berlin"]),
        ("zone Tokio", ["zone Asia/Tokyo"]),
        ("zone Xyzzy", []),
        ("gmaes", ["games"]),
        ("regster Cleo", ["register Cleo"]),
        ("Challenge Ben nibble", []),
        ("What a nice day", []),
        ("", []),
    ],
)
def test_similar_commands_are_found(services: Services, line: str, wanted: list[str]) -> None:
    for name in ("Ann", "Anna", "Ben", "Quiett Otto", "Karl Huber"):
        add_player(services, f"{name.split()[0].lower()}@example.org", name)
    with writing(services.engine) as session:
        quiet = session.get_one(Player, 4)
        quiet.mail_stopped = True
        session.add(Player(name="Guest", name_key="guest", name_shape="guest", created_at=services.now()))
    with reading(services.engine) as session:
        assert meant_by(session, line) == wanted


@pytest.mark.both
def test_answer_offers_similar_commands(services: Services, ann: Player, ben: Player) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, "challenge Bem nibble")
    assert "There is no player called “Bem”." in answer.words
    assert "Did you mean this? Then answer “yes”, or write: challenge Ben nibble" in answer.words
    assert "vacation" not in answer.words, "the list of everything is not needed"


@pytest.mark.parametrize("text", ["challenge Xerxes nibble", "What is this?"])
def test_commands_are_listed_only_by_help(services: Services, ann: Player, text: str) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, text)
    assert "vacation" not in answer.words
    assert 'send "help"' in answer.words


def test_strangers_get_no_names(services: Services) -> None:
    add_player(services, "z@example.org", "Zacharias")
    answers = receive(services, "nobody@example.org", PLAY, "challenge Zakarias nibble")
    assert "Zacharias" not in answers[-1].words


@pytest.mark.game("nibble")
def test_misspelled_word_of_a_move_is_corrected_and_not_offered_as_a_message(table: TwoPlayerGame) -> None:
    """The layout is random: in one game of twenty, none of these colours can be taken at first."""
    seat = mover(table)[0]
    with reading(table.services.engine) as session:
        moves = moves_in(session.get_one(Game, table.number), seat)
    colours = {"yellow": "yelow", "purple": "purpel", "orange": "ornage", "green": "grene"}
    for colour, misspelled in colours.items():
        (answer,) = reply(table, seat, f"take {misspelled}")
        assert f"say take {misspelled}" not in answer.words
        assert (f"write: take {colour}" in answer.words) == moves.allows(colour)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("vacaton Monday to Friday", "vacation Monday to Friday"),
        ("please vacation Monday to Friday", "vacation Monday to Friday"),
        ("pause my games until Monday", "vacation until Monday"),
        ("stop the clocks from Monday to Friday", "vacation Monday to Friday"),
    ],
)
def test_vacation_is_suggested_in_replies(table: TwoPlayerGame, text: str, choice: str) -> None:
    (answer,) = reply(table, 0, text)
    assert choice in [line.strip() for line in answer.text.splitlines()]


def test_prose_is_no_misspelled_command(table: TwoPlayerGame) -> None:
    (answer,) = reply(table, 0, "same to you")
    assert "Did you mean this? Then answer “yes”, or write: say same to you" in answer.words


def test_refused_command_is_not_offered_as_a_message(table: TwoPlayerGame) -> None:
    (answer,) = reply(table, 0, "luck the weather is cold")
    assert "Game 1 has already started." in answer.words
    assert "Did you mean" not in answer.words


@pytest.mark.parametrize("text", ["no", "Nein danke", "No thanks!", "decline"])
def test_answer_that_declines_an_offer_is_explained(table: TwoPlayerGame, text: str) -> None:
    seat = mover(table)[0]
    reply(table, 1 - seat, "draw")
    (answer,) = reply(table, seat, text)
    assert "To decline the offer, just play on: it ends with the next move." in answer.words


@pytest.mark.parametrize("text", ["accept", "I accept"])
@pytest.mark.parametrize("offer", ["draw", "takeback"])
def test_answer_that_accepts_an_offer_is_explained(table: TwoPlayerGame, text: str, offer: str) -> None:
    seat = mover(table)[0]
    move(table.services, table.number)
    reply(table, seat, offer)
    (answer,) = reply(table, 1 - seat, text)
    assert f"To accept the {offer}, write: {offer}" in answer.words
    assert f"Did you mean this? Then answer “yes”, or write: {offer}" in answer.words


@pytest.mark.parametrize("text", ["no", "nein", "sure", "I accept", "No thanks!"])
def test_answer_without_an_offer_is_a_message(table: TwoPlayerGame, text: str) -> None:
    (answer,) = reply(table, mover(table)[0], text)
    assert "already started" not in answer.words
    assert "To send a message to the others, begin it with “say”." in answer.words


@pytest.mark.parametrize(
    "text", ["stop everything from Nabu", "stop all from this server", "suspend my game from Ben"]
)
def test_words_that_are_no_dates_are_no_vacation(table: TwoPlayerGame, text: str) -> None:
    for answers in (reply(table, 0, text), receive(table.services, table.players[0].email, PLAY, text)):
        assert "length of time" not in answers[0].words
        assert "vacation" not in answers[0].words


@pytest.mark.parametrize("text", ["pause this game until Monday", "pause this game for 3 days"])
def test_suggestion_says_that_a_vacation_pauses_all_games(table: TwoPlayerGame, text: str) -> None:
    (answer,) = reply(table, 0, text)
    assert "“vacation” pauses all your clocks." in answer.words


@pytest.mark.parametrize(
    "text",
    [
        "I want to leave Nabu",
        "leave Nabu",
        "quit Nabu",
        "I want to stop playing here",
        "I would like to leave the server.",
        "Ich möchte Nabu verlassen",
    ],
)
def test_leaving_nabu_is_no_vacation(services: Services, ann: Player, text: str) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, text)
    assert "length of time" not in answer.words
    assert {"delete", "stop"} <= {line.strip() for line in answer.text.splitlines()}


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("Urlaub bis 10. März", {"vacation until 10 March"}),
        ("Ich bin vom 5. bis 10. Mai im Urlaub", {"vacation from 5 until 10 May"}),
        ("je serai absent du 3 au 10 mai", {"vacation from 3 until 10 May"}),
        ("on vacation from 3 to 10 Sept", {"vacation from 3 to 10 Sept"}),
        ("change address new@example.org", {"address main new@example.org", "address add new@example.org"}),
        ("Welche Spiele laufen gerade?", {"games", "lobby"}),
        ("Wie ist der Stand im Turnier?", {"tournaments"}),
    ],
)
def test_suggestion_is_in_english_below_one_sentence(
    services: Services, ann: Player, text: str, choices: set[str]
) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, text)
    assert f"“{text}” is not a command. Nothing was changed." in answer.words
    lines = {line.strip() for line in answer.text.splitlines()}
    assert choices <= lines or f"or write: {choices.pop()}" in answer.words


def test_leave_for_a_time_is_a_vacation(services: Services, ann: Player) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, "leave for 5 days")
    assert "vacation 5 days" in answer.words


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("resign", "resign"),
        ("I resign", "resign"),
        ("ich gebe auf", "resign"),
        ("Remis?", "draw"),
        ("can I have my last move back?", "takeback"),
    ],
)
def test_reply_to_an_older_email_is_offered_for_the_game_as_it_is_now(
    table: TwoPlayerGame, text: str, choice: str
) -> None:
    seat = mover(table)[0]
    for _ in range(4):
        move(table.services, table.number)
    (answer,) = reply(table, seat, text, 1)
    assert f"Did you mean this? Then answer “yes”, or write: {choice}" in answer.words
    assert "say" not in [line.strip()[:3] for line in answer.text.splitlines()]
    assert answer.words.count("Nothing was played") <= 1
    assert table.game().state == "running"
    answers = f"In-Reply-To: {answer.mail['Message-ID']}\r\n"
    answered = receive(table.services, answer.to, str(answer.mail["Reply-To"]), "yes", answers)
    assert (table.game().state == "over") == (choice == "resign")
    assert "refusal" not in [each.letter for each in answered]


def test_move_in_reply_to_an_older_email_is_not_offered_for_now(table: TwoPlayerGame) -> None:
    seat = mover(table)[0]
    for _ in range(2):
        move(table.services, table.number)
    (answer,) = reply(table, seat, "c3", 1)
    assert "Did you mean" not in answer.words
    assert answer.words.count("changed nothing") == 1
    assert "Nothing was played" not in answer.words


@pytest.mark.parametrize(("turns", "choice"), [(0, "e5"), (2, "say My plan is E5, I think")])
def test_remark_about_a_move_in_reply_to_an_older_email_may_be_a_message(
    table: TwoPlayerGame, turns: int, choice: str
) -> None:
    for seat, text in enumerate(("c3", "a1")[:turns]):
        table.submit(seat, text)
    (answer,) = reply(table, 0, "My plan is E5, I think", 1)
    assert f"Did you mean this? Then answer “yes”, or write: {choice}" in answer.words


def test_challenge_of_two_players_is_suggested_with_their_number(services: Services, ann: Player) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, "challenge a@x.example b@x.example nexus")
    assert "or write: challenge a@x.example, b@x.example nexus players=3" in answer.words


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *(
            ("resing", "resign"),
            ("surrendr", "resign"),
            ("drwa", "draw"),
            ("halp", "help"),
            ("tkaeback", "takeback"),
        ),
        *(("accpet", "accept"), ("declne", "decline"), ("rematc", "rematch")),
        *(("design", ""), ("agreed", ""), ("deal", ""), ("Maybe resing", "")),
    ],
)
def test_misspelled_command_of_a_reply_is_found(text: str, wanted: str) -> None:
    assert commands_like(text) == ([wanted] if wanted else [])


ORDINARY = (
    "agreed accepted deal yes sure fine great good nice read ready real team tell tea like line live life time "
    "pure purpose people think pin pick pine grid greet greed greedy tail talk reed lie lied purse blow below "
    "hello fellow yell range arrange danger bread bed rod rid hand handle hold gold told pass past seen "
    "einverstanden klar gerne gut danke oui merci claro vale sí bueno certo grazie graag goed tak dobrze да"
)


@pytest.mark.parametrize("game_type", RULES)
def test_ordinary_word_is_never_taken_for_a_misspelled_move(game_type: str) -> None:
    rules = RULES[game_type]
    position = first_position(rules, rules.options({}))
    if rules.dice(position):
        position = rules.roll(position, (3, 5))
    seat = rules.to_move(position)[0]
    words = [word for word in ORDINARY.split() if not rules.reads(position, seat, word)]
    assert {word: moves_like(rules, position, seat, word) for word in words} == {word: [] for word in words}


@pytest.mark.parametrize(
    ("game_type", "text", "move"),
    [
        ("nexus", "k13, k14, l12", "add k13, k14, l12"),
        ("nexus", "put k13 k14 l12", "add k13 k14 l12"),
        ("nexus", "Add K13, K14 and L12", "add k13, k14, l12"),
        ("nexus", "I would like to place my marbles on k13, k14 and l12, please.", "add k13, k14, l12"),
        ("nelaxtam", "Land 1 a1, 2 c1, 3 e1, 4 g1 and 5 i1", "1 a1, 2 c1, 3 e1, 4 g1, 5 i1"),
        ("nelaxtam", "troop 1 on a1, troop 2 on c1, 3 e1, 4 g1, 5 i1", "1 a1, 2 c1, 3 e1, 4 g1, 5 i1"),
        ("nebuchadnezzar", "I think I will play D4 here", "d4"),
        ("nardshir", "I play hand/5 und 5/8", "hand/5, 5/8"),
        ("nibble", "I would like the I9 please", "i9"),
    ],
)
def test_suggested_move_keeps_the_places_that_were_written(game_type: str, text: str, move: str) -> None:
    rules = RULES[game_type]
    position = first_position(rules, rules.options({}))
    seat = rules.to_move(position)[0]
    if rules.dice(position):
        position = rules.roll(position, (3, 5))
    assert moves_like(rules, position, seat, text) == [move]
