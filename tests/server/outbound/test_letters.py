"""The emails that Nabu sends."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from mail.reading.quoting import SENTINEL
from rules.registry import RULES
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.terms.wording import outcome_text, result_text
from server.outbound import letters as outbound_letters
from server.outbound.letters import LETTERS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.mail.email_form import check_form, check_thread
from tests.support.rules.every_game import ONE_EACH, VARIANTS
from tests.support.server.emails import Written, letters, receive, reply_address
from tests.support.server.games import TwoPlayerGame, begin, offer_draw, submit
from tests.support.server.players import add_player, mail_every_turn

NAMES = ("Ann", "Ben", "Cleo", "Dan")
QUESTIONS = (
    "show",
    "history",
    "moves",
    "help",
    "rules",
    "verify",
    "note remember",
    "say Hello!",
    "draw",
    "hello",
)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_type", "options"),
    [pytest.param(*each, marks=() if each in ONE_EACH else pytest.mark.long) for each in VARIANTS],
)
def test_every_email_of_a_game_fits_every_mailbox(
    services: Services, game_type: str, options: Mapping[str, object]
) -> None:
    rules = RULES[game_type]
    people = [add_player(services, f"{name.lower()}@example.org", name) for name in NAMES]
    seated = people[: len(rules.seats(rules.options(options)))]
    number = begin(services, game_type, *seated, **options)
    below = random.Random(game_type).randrange
    for _ in range(6):
        play_turn(services, number, below)
    ask_everything(services, number)
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, leaver = log.seats(session, game)[0]
        moves.resign(
            ActionContext(session, services.sealer, services.now()), leaver, Target(number, 0, game.turn)
        )
    written = letters(services)
    assert {"report", "invitation", "refusal", "preview", "history", "rules", "proof"} <= {
        each.letter for each in written
    }
    for each in written:
        check_form(each)
        if each.letter not in ("welcome", "accepted"):
            check_thread(services, each, number)


def play_turn(services: Services, number: int, below: random.Random | object) -> None:
    """Play a turn with random moves."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
    for seat in rules.to_move(position):
        submit(services, number, seat, rules.format(rules.sample(position, seat, below)))  # type: ignore[arg-type]


def ask_everything(services: Services, number: int) -> None:
    """Send every possible command from a player to move."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        seat = rules.to_move(position)[0]
        player = log.seats(session, game)[seat][1]
    address = reply_address(services, number, seat, game.turn)
    for text in (*QUESTIONS, f"? {rules.examples(position, seat)[0]}"):
        assert receive(services, player.email, address, text), f"{text} was not answered"


def test_every_letter_has_a_template_with_its_name() -> None:
    from server.outbound.letters.render import TEMPLATES

    written = {path.stem for path in TEMPLATES.glob("*.j2") if not path.stem.startswith("_")}
    assert written == set(LETTERS)


def test_importing_the_package_defines_all_letters() -> None:
    """The letters that count as answers must not depend on the modules that were imported."""
    files = Path(outbound_letters.__file__).parent.glob("*.py")
    holding = {file.stem for file in files if "(Letter):" in file.read_text(encoding="utf-8")}
    assert holding <= set(outbound_letters.__all__)


def reports(table: TwoPlayerGame) -> dict[str, Written]:
    """Return the last report to each player, by name."""
    found = [each for each in letters(table.services) if each.letter == "report"]
    return {each.to.partition("@")[0]: each for each in found}


def test_email_to_the_player_to_move_begins_with_it(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    mine = reports(table)[table.players[1].name.lower()]
    first, due, _, who = mine.text.splitlines()[2:6]
    assert first == f"Your move. {table.players[0].name} played c3."
    assert due.startswith("Due Wed 4 March 2026")
    assert who == f"Turn 2. You are {table.players[1].name}, White, with the discs w."
    assert re.search(rf"<h1[^>]*>{re.escape(first)}<br>{re.escape(due)}</h1>", mine.html)
    assert "Write your move on the first line of your reply, for example:" in mine.words


def test_email_to_the_waiting_player_names_the_player_to_move(table: TwoPlayerGame) -> None:
    mail_every_turn(table.services)
    table.submit(0, "c3")
    mine = reports(table)[table.players[0].name.lower()]
    first, due, _, who = mine.text.splitlines()[2:6]
    assert first == f"Waiting for {table.players[1].name} (White). You played c3."
    assert due.startswith("Due Wed 4 March 2026")
    assert who == f"Turn 2. You are {table.players[0].name}, Black, with the discs b."
    assert "You don't need to do anything now" in mine.words
    assert "for example" not in mine.words


def test_first_email_names_players_and_terms(table: TwoPlayerGame) -> None:
    first = reports(table)[table.players[0].name.lower()]
    assert first.text.splitlines()[2] == "Your move. The game starts."
    assert f"Turn 1. You are {table.players[0].name}, Black, with the discs b." in first.words
    assert "Options: 5 by 5 points." in first.words
    assert "Proof: hash of the seed " in first.words


def test_only_the_first_email_explains_the_game(table: TwoPlayerGame) -> None:
    primer = f"How to play: {RULES['nebuchadnezzar'].primer}"
    firsts = reports(table)
    assert [primer in mail.words for mail in firsts.values()] == [True, True]
    assert all("How to play: You win when no disc" in " ".join(mail.html.split()) for mail in firsts.values())
    table.submit(0, "c3")
    assert primer not in reports(table)[table.players[1].name.lower()].words


@pytest.mark.game("nelaxtam", size=10, troops=1, sea=0)
def test_examples_that_are_words_are_explained(table: TwoPlayerGame) -> None:
    for seat, landing in enumerate(("1 d4", "A c4")):
        table.submit(seat, landing)
    for name, mail in reports(table).items():
        assert (
            "“hold”: all your troops stay. “end”: you offer to end the game and count the tiles." in mail.words
        )
        seat = [player.name.lower() for player in table.players].index(name)
        assert f", with the tiles {'ox'[seat]} and the troop {'1A'[seat]}." in mail.words


def test_refusal_without_suggestions_shows_the_notation(table: TwoPlayerGame) -> None:
    address = reply_address(table.services, table.number, 0, 1)
    (answer,) = receive(table.services, table.players[0].email, address, "four-discs")
    example = RULES["nebuchadnezzar"].examples(log.position_of(table.game()), 0)[0]
    assert f"To try again, reply to this email, for example with “{example}”. You wrote:" in answer.words


def test_terms_take_one_line_and_the_rules_have_them_in_full(table: TwoPlayerGame) -> None:
    first = reports(table)[table.players[0].name.lower()]
    page = f"{table.services.settings.base_url}/games/{table.number}#terms"
    rated = "The game is rated: its result changes the players' ratings."
    brief = f"Terms: Each move may take up to 3 days. {rated} For all terms, reply “rules”, or open"
    assert f"{brief} {page} " in first.words
    assert "vacation" not in first.words
    (answer,) = receive(table.services, table.players[0].email, str(first.mail["Reply-To"]), "rules")
    assert (
        "The terms of this game: - Each move may take up to 3 days. - Each player has 30 days" in answer.words
    )


def test_last_email_names_the_winner_and_the_rematch(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        moves.resign(action, session.get_one(Player, table.players[0].id), Target(table.number, 0, 1))
    first, second = (player.name for player in table.players)
    mine = reports(table)[second.lower()]
    assert mine.words.startswith(f"{SENTINEL} You won: {first} resigned. The game is over. For a rematch")
    assert "For a rematch with sides swapped, write: rematch" in mine.words
    assert "You don't need to do anything" not in mine.words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_type", "options"),
    [
        ("nibble", {"time": "7d+1d/14d", "weekends": "off"}),
        ("nibble", {"time": "none"}),
        ("nebuchadnezzar", {"size": 6, "timeout": "claim", "grace": "12h", "weekends": "off", "time": "1d"}),
        ("nelaxtam", {"time": "mon,thu 18:00 Europe/Berlin", "weekends": "off", "misses": "2"}),
        ("nelaxtam", {"size": 10, "delay": "10m", "show-ready": "off"}),
    ],
)
def test_rematch_has_the_same_options_and_terms(
    services: Services, game_type: str, options: dict[str, object]
) -> None:
    """The time terms were missing in the command."""
    table = TwoPlayerGame(services, game_type, **options)
    player = table.players[0]
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        moves.resign(action, session.get_one(Player, player.id), Target(table.number, 0, 1))
    report = reports(table)[player.email.partition("@")[0]]
    assert "For a rematch with sides swapped, write: rematch" in report.words
    receive(services, player.email, str(report.mail["Reply-To"]), "rematch")
    with reading(services.engine) as session:
        before, after = (session.get_one(Game, number) for number in (table.number, table.number + 1))
        assert (after.game_type, after.options, after.terms) == (before.game_type, before.options, before.terms)


def test_agreed_draw_shows_the_current_board(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        for seat, player in enumerate(table.players):
            offer_draw(action, session.get_one(Player, player.id), Target(table.number, seat, 2))
    for mine in reports(table).values():
        assert "The game is a draw, as agreed. The game is over." in mine.words
        assert "3| .  . [b] .  . |3" in mine.text
        assert "begins" not in mine.words


def test_late_report_shows_its_own_turn(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    early = letters(table.services)
    table.submit(1, "a1")
    late = letters(table.services)[: len(early)]
    assert [each.words for each in late[-2:]] == [each.words for each in early[-2:]]


def test_history_names_players_with_their_colours_at_that_time(
    services: Services, table: TwoPlayerGame
) -> None:
    """A swap changes the colours of the players, but not those of the turns before it."""
    table.submit(0, "c3")
    table.submit(1, "swap")
    address = reply_address(services, table.number, 0, 3)
    first, second = (player.name for player in table.players)
    (answer,) = receive(services, table.players[0].email, address, "history")
    assert f"Turn 1 {first} (Black): c3 Turn 2 {second} (White): swap" in answer.words
    assert f"Turn 3. You are {first}, White, with the discs w." in answer.words


def test_refusal_quotes_the_text_within_the_width(services: Services, table: TwoPlayerGame) -> None:
    address = reply_address(services, table.number, 0, 1)
    text = (
        3 * "I wonder what would happen if somebody wrote a line that is far longer than any mail should have, "
    )
    (answer,) = receive(services, table.players[0].email, address, text)
    assert "neither a move nor a command" in answer.text.splitlines()[2] + answer.text.splitlines()[3]
    quoted = [line.removeprefix("  | ") for line in answer.text.splitlines() if line.startswith("  | ")]
    assert " ".join(quoted) == f"{text[:139].rpartition(' ')[0]}…"
    check_form(answer)


@pytest.mark.parametrize(
    ("state", "game_type", "there", "not_there"),
    [
        ("invited", "nebuchadnezzar", "accept", "resign"),
        ("running", "nebuchadnezzar", "resign", "withdraw"),
        ("running", "nelaxtam", "withdraw", "accept"),
    ],
)
def test_help_shows_the_commands_of_the_moment(
    services: Services, state: str, game_type: str, there: str, not_there: str
) -> None:
    ann, ben = add_player(services, "ann@example.org", "Ann"), add_player(services, "ben@example.org", "Ben")
    if state == "running":
        begin(services, game_type, ann, ben)
    else:
        receive(services, "ann@example.org", "play@games.example.org", f"challenge ben {game_type}")
    asked = next(each for each in reversed(letters(services)) if each.to == ben.email)
    (answer,) = receive(services, ben.email, str(asked.mail["Reply-To"]), "help")
    commands = [line.split()[0] for line in answer.text.splitlines() if re.match(r"  \w+", line)]
    assert there in commands
    assert not_there not in commands


def test_list_of_games_says_what_to_do_in_each(services: Services) -> None:
    ann, ben = add_player(services, "ann@example.org", "Ann"), add_player(services, "ben@example.org", "Ben")
    running = begin(services, "nebuchadnezzar", ann, ben)
    receive(services, "ann@example.org", "play@games.example.org", "challenge ben nibble")
    with reading(services.engine) as session:
        to_move = log.seats(session, session.get_one(Game, running))[0][1]
    (answer,) = receive(services, ben.email, "play@games.example.org", "games")
    mine = to_move.id == ben.id
    assert answer.text.splitlines()[2] == f"Games waiting for you: {2 if mine else 1} of 2."
    assert f"write “accept {running + 1}” or “decline {running + 1}”" in answer.words
    assert ("Turn 1: your move" if mine else "Turn 1: waiting for Ann.") in answer.words


@pytest.mark.parametrize(
    ("game_type", "result", "expected"),
    [
        ("nebuchadnezzar", None, ""),
        (
            "nebuchadnezzar",
            {"winners": [0], "reason": "annihilation"},
            "Ann (Black) wins: no enemy disc is left.",
        ),
        (
            "nelaxtam",
            {"winners": [1], "reason": "standstill", "scores": [9, 12]},
            "Ben (X) wins: no tile was lost in 20 turns in a row. Tiles: Ann (O) 9, Ben (X) 12.",
        ),
        (
            "nelaxtam",
            {"winners": [0, 1], "reason": "agreed-end", "scores": [9, 9]},
            "A draw between Ann (O) and Ben (X): both sides offered to end the game. "
            "Tiles: Ann (O) 9, Ben (X) 9.",
        ),
        ("nardshir", {"winners": [1], "reason": "timeout"}, "Ben (O) wins: the other side ran out of time."),
        (
            "nexus",
            {"winners": [2], "reason": "last-standing", "places": [2, 0, 1]},
            "Cleo (Green) wins: no other player can add or move any more. "
            "Final order: Cleo (Green), Ann (Red), Ben (Blue).",
        ),
    ],
)
def test_results_are_sentences(game_type: str, result: dict[str, object] | None, expected: str) -> None:
    titles = {
        "nardshir": ("X", "O"),
        "nebuchadnezzar": ("Black", "White"),
        "nelaxtam": ("O", "X"),
        "nexus": ("Red", "Blue", "Green"),
    }
    names = [f"{name} ({title})" for name, title in zip(NAMES, titles[game_type], strict=False)]
    assert result_text(RULES[game_type], result, names) == expected


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"winners": [0], "reason": "resigned"}, "You won: Ben resigned."),
        ({"winners": [1], "reason": "resigned"}, "Ben won: you resigned."),
        ({"winners": [0], "reason": "timeout"}, "You won: Ben ran out of time."),
        ({"winners": [1], "reason": "annihilation"}, "Ben won: no enemy disc is left."),
        ({"winners": [0, 1], "reason": "agreed-draw"}, "The game is a draw, as agreed."),
        ({"winners": [], "reason": "aborted"}, "No winner: the game was abandoned, as no player continued it."),
    ],
)
def test_result_is_worded_for_its_reader(result: dict[str, object], told: str) -> None:
    assert outcome_text(RULES["nebuchadnezzar"], result, ("Ann", "Ben"), 0) == told


@pytest.mark.parametrize("game_type", sorted(RULES))
def test_every_reason_of_a_game_is_half_a_sentence(game_type: str) -> None:
    reasons = RULES[game_type].reasons
    assert reasons
    assert all(
        len(reason.split()) > 3 and reason[0].islower() and reason[-1] != "." for reason in reasons.values()
    )
    assert "winner" not in " ".join(reasons.values()), "the sentence begins with them: “You won: …”"


def test_no_sentence_has_empty_names_while_players_accept(services: Services) -> None:
    """When all had accepted, the email said "once all have accepted, too: ." without a name after the colon."""
    people = [add_player(services, f"{name.lower()}@example.org", name) for name in NAMES]
    receive(services, people[0].email, "play@games.example.org", "challenge Ben, Cleo, Dan nexus players=4")
    told = []
    for person in people[1:]:
        told += receive(services, person.email, "play@games.example.org", "games\r\naccept 1")
    told += letters(services)
    assert [each.letter for each in told if re.search(r":\s*[.,;]|, ,|,\s*\.", each.words)] == []
    assert sum("Still to answer: " in each.words for each in told) >= 2


def test_text_of_players_is_escaped_everywhere(table: TwoPlayerGame) -> None:
    markup = "<script>1</script><img src=x>"
    for text in (f"say {markup}", f"note {markup}", f"c3\n\n{markup}", f"if {markup} then a1"):
        token = table.services.tokens.write(ReplyToken(table.number, 0, table.game().turn))
        receive(table.services, table.players[0].email, f"play+{token}@games.example.org", text)
    for text in (f"name {markup}", f"challenge {markup} nibble", f"challenge ben nibble\nluck {markup}"):
        receive(table.services, table.players[1].email, table.services.settings.plain_address, text)
    written = letters(table.services)
    assert not [each.letter for each in written if re.search("<(script|img)", each.html)]
    assert {each.letter for each in written if "&lt;script&gt;" in each.html} >= {"message", "noted", "beside"}
