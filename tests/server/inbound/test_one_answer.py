"""Each email gets one answer, even with many commands."""

from __future__ import annotations

from sqlmodel import col, select

from mail.reading.quoting import SENTINEL
from server.commands.game_words import RULES
from server.outbound.letters import LETTERS
from server.outbound.letters.render import TEMPLATES
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from server.store.tokens import ReplyToken
from tests.support.mail.email_clients import check_html
from tests.support.mail.email_form import check_form
from tests.support.server.emails import PLAY, Written, letters, receive, reply_token, write
from tests.support.server.games import TwoPlayerGame, mover, state_of


def token_of(written: Written, services: Services) -> ReplyToken | None:
    """Return the seat and the turn of a reply to a letter."""
    token = services.tokens.read(str(written.mail["Reply-To"]).partition("+")[2].partition("@")[0])
    assert token is None or isinstance(token, ReplyToken)
    return token


def test_repeated_question_is_answered_once(services: Services) -> None:
    """An email of 492 bytes caused 30 emails with 781 KB to the address in it."""
    (answer,) = write(services, "nobody@world.test", *["rules nexus"] * 30)
    (once,) = write(services, "somebody@world.test", "rules nexus")
    assert (answer.letter, answer.to) == ("rules", "nobody@world.test")
    assert answer.text == once.text


def test_several_questions_are_answered_in_one_letter(services: Services, ann: Player) -> None:
    alone = [write(services, ann.email, line)[0] for line in ("rules nibble", "games", "zone Europe/Berlin")]
    (answer,) = write(services, ann.email, "rules nibble", "games", "zone Europe/Berlin")
    assert (answer.letter, answer.to) == ("answers", ann.email)
    for each in alone:
        what = each.text.partition("\nOpen ")[0].rstrip("- \n").splitlines()[2:]
        assert [line for line in what if line.strip() and line not in answer.text] == []
    assert answer.text.count(SENTINEL) == 1
    assert answer.text.count("To get no more email") == 1
    assert answer.html.count("<html") == answer.html.count("</html>") == 1
    assert "moments" in answer.html or "Europe/Berlin" in answer.html
    assert "<h1>" in answer.html, "the rules are rendered, not shown as source"
    check_form(answer)


def test_letter_with_several_answers_answers_the_email(services: Services, ann: Player) -> None:
    (answer,) = receive(services, ann.email, PLAY, "games\r\nhelp", "")
    assert str(answer.mail["In-Reply-To"]).endswith("@world.test>")
    assert answer.mail["Subject"] == "Answers to your email"
    assert token_of(answer, services) is None


def test_all_answers_to_a_reply_are_one_letter_with_one_board(table: TwoPlayerGame) -> None:
    seat, email, address = mover(table)
    (answer,) = receive(
        table.services, email, address, "history\r\nmoves\r\nshow\r\nhelp\r\nrules\r\n? a1\r\nshow"
    )
    assert (answer.letter, answer.to) == ("answers", email)
    assert answer.text.count("Turn 1. You are ") == 1, "the state of the game is sent once"
    for said in (
        "No turns have been played yet.",
        "Preview only: nothing has been played.",
        "Commands you can send",
        "Nebuchadnezzar\n==============",
    ):
        assert said in "\n".join(answer.text.splitlines())
    token = token_of(answer, table.services)
    assert token == reply_token(table.services, table.number, seat, 1)
    check_form(answer)
    receive(table.services, email, str(answer.mail["Reply-To"]), "b2")
    assert table.game().turn == 2, "it can be answered with a move"


def test_move_and_question_are_answered_together(table: TwoPlayerGame) -> None:
    seat, email, address = mover(table)
    caused = receive(table.services, email, address, "a1\r\nhistory\r\nnote remember")
    mine = [each for each in caused if each.to == email]
    others = [each for each in caused if each.to != email]
    assert [each.letter for each in mine] == ["answers"]
    assert [each.letter for each in others] == ["report"]
    assert "a1" in mine[0].text
    assert "remember" in mine[0].text
    assert "remember" not in others[0].text
    assert token_of(mine[0], table.services) == reply_token(table.services, table.number, seat, 2), (
        "what it says last counts"
    )
    check_form(mine[0])


def test_answers_about_several_games_have_their_reply_addresses(
    services: Services, ann: Player, ben: Player
) -> None:
    (answer, *_) = [
        each
        for each in write(services, ann.email, "challenge Ben nibble", "challenge Ben nelaxtam")
        if each.to == ann.email
    ]
    assert answer.letter == "answers"
    assert token_of(answer, services) is None
    with reading(services.engine) as session:
        numbers = [game.id for game in session.exec(select(Game).order_by(col(Game.id)))]
    addresses = [
        line.removeprefix("To reply: ")
        for line in answer.text.splitlines()
        if line.startswith("To reply: play+")
    ]
    tokens = [services.tokens.read(line.partition("+")[2].partition("@")[0]) for line in addresses]
    assert [token.game for token in tokens if isinstance(token, ReplyToken)] == numbers
    receive(services, ann.email, addresses[1], "decline")
    assert [state_of(services, number) for number in numbers] == ["invited", "declined"]


def test_games_accepted_together_are_answered_in_one_email(
    services: Services, ann: Player, ben: Player
) -> None:
    for _ in range(2):
        write(services, ann.email, "challenge Ben nebuchadnezzar size=5")
    caused = write(services, ben.email, "accept 1", "accept 2")
    (answer,) = [each for each in caused if each.to == ben.email]
    assert answer.letter == "answers"
    assert answer.text.count("The game starts") == 2
    assert len([each for each in caused if each.to == ann.email]) == 2, "the emails to others stay unchanged"
    check_html(answer.html)


def test_letters_that_end_with_the_state_of_the_game_are_listed() -> None:
    found = {path.stem for path in TEMPLATES.glob("*.j2") if "{{ now(out" in path.read_text(encoding="utf-8")}
    assert found == {name for name, letter in LETTERS.items() if letter.shows_state}


def test_commands_undone_by_a_refusal_are_not_mentioned(services: Services, ann: Player) -> None:
    (answer,) = write(services, ann.email, "games", "zone Europe/Berlin", "challenge Nobody nibble")
    assert answer.letter == "refusal_account"
    assert "There is no player called “Nobody”" in answer.words
    assert len(letters(services)) == 2, "the welcome, and the refusal"


def test_number_of_challenges_in_an_email_is_limited(services: Services, ann: Player) -> None:
    """One email invited 29 people."""
    (answer,) = write(
        services, ann.email, *(f"challenge new{number}@world.test nibble" for number in range(29))
    )
    assert (answer.letter, answer.to) == ("refusal_account", ann.email)
    assert "29 lines with “challenge”, and an email can have at most 5." in answer.words


def test_number_of_rules_requests_in_an_email_is_limited(services: Services) -> None:
    lines = [
        f"rules {game_type}" for game_type in ("nibble", "nexus", "nelaxtam", "nardshir", "nebuchadnezzar")
    ]
    (answer,) = write(services, "a@world.test", *lines)
    assert answer.letter == "refusal_account"
    assert "5 lines with “rules”, and an email can have at most 3." in answer.words
    (answer,) = write(services, "b@world.test", *(lines[: RULES.most] * 5))
    assert answer.letter == "answers"
    check_form(answer)


def test_number_of_previews_in_a_reply_is_limited(table: TwoPlayerGame) -> None:
    _, email, address = mover(table)
    (answer,) = receive(
        table.services, email, address, "\r\n".join(f"? {file}{row}" for file in "abcde" for row in "123")
    )
    assert answer.letter == "refusal"
    assert "15 lines with “?”, and an email can have at most 10." in answer.words
    (answer,) = receive(table.services, email, address, "\r\n".join(["? a1", "? a2"] * 10))
    assert answer.text.count("nothing has been played") == 2
