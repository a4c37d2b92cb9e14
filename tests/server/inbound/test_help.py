"""The help: everyday commands with an example each, and all others by topic, command or game."""

from __future__ import annotations

import re

import pytest

from mail.reading.quoting import SENTINEL
from rules.registry import RULES
from server.commands.parser import read_commands
from server.commands.vocabulary import ABOUT_A_GAME, PLAIN, REPLY
from server.commands.word import Topic
from server.game.terms import game_types
from server.processes.services import Services
from server.store.models import Player
from tests.support.folders import ROOT
from tests.support.server.emails import PLAY, Written, receive, reply_address, to_player, write
from tests.support.server.games import TwoPlayerGame

EVERYDAY = 16


def table_in(answer: Written) -> list[str]:
    """Return the lines in the first column of a letter's first table."""
    text = "\n".join(answer.text.splitlines())
    first = next(part for part in text.split("\n\n") if part.startswith("  "))
    return [row.strip().partition("  ")[0] for row in first.splitlines() if not row.startswith("     ")]


def ask(table: TwoPlayerGame, text: str, seat: int = 0) -> Written:
    """Return the answer to a player's reply."""
    address = reply_address(table.services, table.number, seat)
    return to_player(table.players[seat], receive(table.services, table.players[seat].email, address, text))


def test_help_shows_everyday_commands_with_examples(services: Services, ann: Player) -> None:
    (answer,) = write(services, ann, "help")
    examples = table_in(answer)
    assert len(examples) == EVERYDAY
    for example in examples:
        (command,) = read_commands(example, lambda line: False, PLAIN).commands
        assert command.word.example == example
    for topic in Topic:
        assert f"help {topic.value} " in answer.text
    assert len(answer.text.splitlines()) <= 60


def test_help_in_a_game_shows_the_commands_of_the_moment(table: TwoPlayerGame) -> None:
    mine, theirs = table_in(ask(table, "help")), table_in(ask(table, "help", 1))
    assert re.fullmatch("[a-e][1-5]", mine[0]), "a move of this game"
    assert f"? {mine[0]}" in mine
    assert {"resign", "draw", "moves"} <= set(mine) & set(theirs)
    assert not [row for row in theirs if row.startswith("?")]
    assert max(len(mine), len(theirs)) <= EVERYDAY
    ask(table, "resign")
    over = table_in(ask(table, "help"))
    assert {"rematch", "analyse", "history"} <= set(over)
    assert not {"resign", "draw", "accept"} & set(over)


def test_every_letter_links_to_the_help_pages_once(table: TwoPlayerGame) -> None:
    """Also a refusal, by its last lines; the game's email says how to reply, the other one where to write."""
    page = f"{table.services.settings.base_url}/help"
    (other,) = write(table.services, table.players[0], "nonsense")
    for letter in (ask(table, "nonsense"), other):
        assert letter.letter.startswith("refusal")
        assert letter.text.rpartition("\n--")[2].count(page) == 1
        assert letter.text.count(page) == letter.html.count(f'href="{page}"') == 1
    assert f'Help: send "help" to {PLAY}, or open' in other.text


@pytest.mark.parametrize("topic", Topic)
def test_each_topic_has_all_its_commands(table: TwoPlayerGame, topic: Topic) -> None:
    (answer,) = write(table.services, table.players[0], f"help {topic.value}")
    assert topic.covers in answer.text
    for word in [*PLAIN, *REPLY]:
        for usage in word.help_by_usage:
            assert (f"  {usage}" in answer.text) >= (usage in word.help_about(topic))
    reply = ask(table, f"help {topic.value}")
    assert [line for line in reply.text.splitlines() if line.startswith("  ")]


def test_help_about_tournaments_has_the_commands_for_both(table: TwoPlayerGame) -> None:
    (answer,) = write(table.services, table.players[0], "help tournaments")
    for word in ("join", "leave", "start", "cancel"):
        assert f"  {word} NAME" in answer.text
        assert f"  {word} NUMBER" not in answer.text


def test_topics_together_have_all_commands() -> None:
    words = (*PLAIN, *REPLY)
    assert all(
        word.help_by_usage == {k: v for topic in Topic for k, v in word.help_about(topic).items()}
        for word in words
    )
    assert {word.topic for word in (*PLAIN, *REPLY)} == set(Topic)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("help challenge", ["challenge WHO GAME", "    challenge Enkidu nibble"]),
        ("Help Lobby.", ["lobby GAME", "    lobby nibble", "You can also write: "]),
        ("help takeback", ["takeback", "You can also write: ", "take back"]),
        ("help auto", ["auto vacation on|off"]),
        ("help moves", ["Playing: moves, draws", "  resign", "  moves"]),
        ("help stop", ["    stop"]),
        ("help address", ["address main ADDRESS", "    address add ann@example.com"]),
        ("help vacation", ["vacation TIME", "    vacation 5d"]),
    ],
)
def test_help_about_one_command(services: Services, ann: Player, asked: str, told: list[str]) -> None:
    (answer,) = write(services, ann, asked)
    assert answer.letter == "help_account"
    for each in told:
        assert each in answer.text
    assert len(answer.text.splitlines()) < 50
    lines = answer.text.splitlines()
    examples = [line for line in lines if line.startswith("    ") and not line.startswith("     ")]
    assert len(examples) == len(set(examples))


@pytest.mark.parametrize("game_type", RULES)
def test_help_about_a_game_explains_how_to_write_moves(services: Services, ann: Player, game_type: str) -> None:
    assert re.match("## (Writing|How to write)", game_types.notation(game_type))
    (answer,) = write(services, ann, f"help {game_type}")
    assert RULES[game_type].title in answer.text
    assert f"{services.settings.base_url}/rules/{game_type}" in answer.text
    assert len(answer.text) < len(game_types.rules_page(game_type))
    assert "```" not in answer.text


@pytest.mark.parametrize("text", ["help me out of this", "Help! I cannot see the board", "help chess"])
def test_help_followed_by_other_words_is_prose(table: TwoPlayerGame, text: str) -> None:
    """Above a move they make its meaning unclear; they must not become a command."""
    assert ask(table, text).letter == "refusal"
    assert read_commands(text, lambda line: False, PLAIN).commands == ()


@pytest.mark.parametrize("text", ["help, please", "Help with time", "HELP!"])
def test_polite_words_beside_help_do_not_matter(services: Services, ann: Player, text: str) -> None:
    (answer,) = write(services, ann, text, to=PLAY)
    assert answer.letter == "help_account"


EMAIL_PAGE = (ROOT / "docs" / "playing-by-email.md").read_text(encoding="utf-8")


def test_example_of_the_page_about_playing_by_email_works(services: Services, ben: Player) -> None:
    """A newcomer writes the first two emails on it, and gets a game that Ben can accept."""
    texts = re.findall(
        r"^```\nTo: play@games\.example\.org\n\n(.+?)\n```$", EMAIL_PAGE, re.MULTILINE | re.DOTALL
    )
    sent = [[each.letter for each in receive(services, "zoe@example.com", PLAY, text)] for text in texts[:2]]
    assert sent == [["welcome"], ["invitation", "challenge_sent"]]
    assert texts[0] == "register Ann"
    (accepted,) = (each for each in write(services, ben, "accept") if each.to == "zoe@example.com")
    assert accepted.mail["Subject"] == "Nibble 1: Ann - Ben"


def test_page_about_playing_by_email_names_existing_commands() -> None:
    table = EMAIL_PAGE.partition("\n## Emails that you get\n")[2]
    rows = re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
    assert len(rows) > 5
    for row in rows:
        example = row.replace("ADDRESS", "ntfys://ntfy.example.com/room")
        (command,) = read_commands(example, lambda line: False, PLAIN | ABOUT_A_GAME).commands
        assert command.word.topic in (Topic.EMAIL, Topic.MESSAGES), row


@pytest.mark.game("nibble", time="2d")
def test_emails_on_that_page_are_as_nabu_writes_them(table: TwoPlayerGame) -> None:
    """The game on the page is another one: it has other colours, and perhaps the seats are swapped."""
    first, second = table.players
    shown, refused = re.findall(r"^```\nFrom: Nabu\n(.+?)\n```$", EMAIL_PAGE, re.MULTILINE | re.DOTALL)
    reply = receive(table.services, first.email, reply_address(table.services, table.number, 0), "a9")
    report = to_player(second, reply)
    shown = shown.replace("Ben took", f"{first.name} took").replace("You are Ann", f"You are {second.name}")
    lines = [line for line in shown.splitlines()[1:] if not re.match(r"\d\|| |…", line)]
    assert len(lines) > 3
    assert [line for line in lines if line not in report.text.splitlines()] == []
    rows = table.game().setup["rows"]
    corners = {"a1": rows[-1][0], "i1": rows[-1][-1], "i9": rows[0][-1]}
    pairs = [(one, other) for one in corners for other in corners if corners[one] < corners[other]]
    if not pairs:
        pytest.skip("all corners of this board have the same colour")
    one, other = sorted(pairs[0])
    answer = ask(table, f"{one} {other}", 1)
    wanted = refused.replace("a1", one).replace("i1", other)
    assert without_colours(wanted) in without_colours(f"Subject: {answer.mail['Subject']}\n{answer.text}")


def without_colours(text: str) -> str:
    """Return a text with single spaces, without the colours of blocks and the line above an email."""
    return re.sub(r"\([A-I] \w+\)", "()", " ".join(text.replace(SENTINEL, "").split()))
