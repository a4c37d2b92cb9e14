"""A “yes” in a reply counts for the question in the answered email, while it is open."""

from __future__ import annotations

import pytest

from server.game.log import log
from server.game.play.target import Target
from server.interpretation.reply_checks import moves_in
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from tests.support.server.digests import DigestReaders
from tests.support.server.emails import PLAY, Written, receive, reply_address, write
from tests.support.server.games import TwoPlayerGame, mover, offer_draw, reply, tick, to_seat
from tests.support.server.services import Clock


def say_yes(table: TwoPlayerGame, seat: int, letter: Written, text: str = "yes") -> list[Written]:
    """Reply “yes” to a letter."""
    answers = f"In-Reply-To: {letter.mail['Message-ID']}\r\n"
    return receive(table.services, table.players[seat].email, str(letter.mail["Reply-To"]), text, answers)


def moves(table: TwoPlayerGame) -> list[object]:
    with reading(table.services.engine) as session:
        return [turn.body["line"] for turn in log.turns(session, session.get_one(Game, table.number))]


def test_yes_plays_the_only_suggested_move(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "c3?")
    assert "Did you mean this? Then answer “yes”, or write: c3" in asked.words
    say_yes(table, 0, asked, "Yes!")
    assert table.game().turn == 2
    assert "c3" in str(moves(table)[0])


def test_yes_to_several_suggestions_plays_none(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "c3\r\nd4")
    assert "Which of these did you mean?" in asked.words
    (answer,) = say_yes(table, 0, asked)
    assert "There were two suggestions, so “yes” can mean any of them. Write one of them." in answer.words
    assert "Which of these did you mean? c3 d4" in answer.words
    assert table.game().turn == 1


def test_yes_to_several_suggestions_names_them_again(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "I think I will resign now")
    assert "Which of these did you mean? resign say I think I will resign now" in asked.words
    (answer,) = say_yes(table, 0, asked)
    assert "There were two suggestions" in answer.words
    assert "resign say I think I will resign now" in answer.words
    assert table.game().state == "running"


def test_yes_to_a_question_about_another_turn_is_refused(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "c3?")
    reply(table, 0, "d4")
    (answer,) = say_yes(table, 0, asked)
    assert "This answers turn 1, but it is now turn 2." in answer.words


def test_yes_to_other_emails_does_nothing(table: TwoPlayerGame) -> None:
    """A draw was offered, but the email has another question."""
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    chat = to_seat(reply(table, 0, "say Is it cold there?"), table, 1)[0]
    say_yes(table, 1, chat)
    assert table.game().state == "running"
    say_yes(table, 1, offered)
    assert table.game().state == "over"


def test_yes_agrees_to_a_takeback(table: TwoPlayerGame) -> None:
    reply(table, 0, "c3")
    asked = to_seat(reply(table, 0, "takeback"), table, 1)[0]
    say_yes(table, 1, asked)
    assert moves(table) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ja, klar!",
        "Yes, sure!",
        "Yes, of course",
        "Oui, d’accord",
        "Ja graag",
        "Sure",
        "Hi Ann,\r\n\r\nof course.\r\n\r\nBen",
        "Agreed",
        "deal!",
        "Accepted.",
        "fine with me",
        "accept",
        "I accept your offer",
        "Sure, why not?",
        "Sure, go ahead",
        "Einverstanden.",
        "D’accord",
        "De acuerdo",
        "Согласен!",
        "同意",
    ],
)
def test_agreement_to_a_draw_offer_counts_as_yes(table: TwoPlayerGame, text: str) -> None:
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    say_yes(table, 1, offered, text)
    assert table.game().state == "over"


@pytest.mark.parametrize(
    "text",
    [
        "Hi Ann, sure, let's play!\r\n\r\nBen",
        "Yes please, I'd love to play",
        "Accept! Looking forward to it",
        "Let's play!",
        "Happy to play",
        "Ja, ich freue mich drauf!",
        "Lass uns spielen!",
        "Avec plaisir, jouons !",
    ],
)
def test_people_accept_an_invitation_in_their_own_words(services: Services, ann: Player, text: str) -> None:
    sent = write(services, ann, "challenge ben@example.org nibble")
    invitation = next(each for each in sent if each.to == "ben@example.org")
    answers = f"In-Reply-To: {invitation.mail['Message-ID']}\r\n"
    receive(services, "Ben <ben@example.org>", str(invitation.mail["Reply-To"]), text, answers)
    with reading(services.engine) as session:
        assert session.get_one(Game, 1).state == "running"


@pytest.mark.parametrize(
    "text", ["Sure, I'd like to play, but not now", "Sure, let's play on Monday", "Let's play?"]
)
def test_words_that_say_more_than_yes_to_an_invitation_are_asked_about(
    services: Services, ann: Player, text: str
) -> None:
    sent = write(services, ann, "challenge ben@example.org nibble")
    invitation = next(each for each in sent if each.to == "ben@example.org")
    answers = f"In-Reply-To: {invitation.mail['Message-ID']}\r\n"
    (asked,) = receive(services, "Ben <ben@example.org>", str(invitation.mail["Reply-To"]), text, answers)
    assert "accept" in asked.words.partition("id you mean")[2]
    assert "seek" not in asked.words
    with reading(services.engine) as session:
        assert session.get_one(Game, 1).state == "invited"


def test_advice_about_an_invitation_shows_where_to_write_accept(services: Services, ann: Player) -> None:
    sent = write(services, ann, "challenge ben@example.org nibble")
    invitation = next(each for each in sent if each.to == "ben@example.org")
    address = str(invitation.mail["Reply-To"])
    (asked,) = receive(services, "ben@example.org", address, "Accept! I have time on Mondays")
    assert "which is not a command: write “Accept” alone on its line." in asked.words


def test_wish_to_play_does_not_accept_a_draw(table: TwoPlayerGame) -> None:
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    say_yes(table, 1, offered, "Sure, let's play!")
    assert table.game().state == "running"


@pytest.mark.game("nibble")
@pytest.mark.parametrize("text", ["Agreed", "deal", "yes", "Ja", "Sure"])
def test_agreement_to_a_turn_email_that_shows_the_offer_counts_as_yes(table: TwoPlayerGame, text: str) -> None:
    seat = mover(table)[0]
    with reading(table.services.engine) as session:
        choice = moves_in(session.get_one(Game, table.number), seat)
    colours = ("red", "orange", "yellow", "lime", "green", "teal", "blue", "purple", "pink")
    move = next(each for each in colours if choice.allows(each))
    turn = to_seat(reply(table, seat, f"{move}\r\ndraw"), table, 1 - seat)[0]
    assert "offers a draw. To accept, write “draw”" in turn.words
    say_yes(table, 1 - seat, turn, text)
    assert table.game().state == "over"


@pytest.mark.parametrize("text", ["yes", "Agreed!"])
def test_agreement_to_a_digest_accepts_the_offer_of_the_game_to_which_it_goes(
    services: Services, clock: Clock, text: str
) -> None:
    people = DigestReaders(services, clock, "daily 18:00")
    offered, other = people.begin("Ben"), people.begin("Ben")
    for number in (offered, other):
        people.move(number, "c3")
    with writing(services.engine) as session:
        ben = session.get_one(Player, people.ben.id)
        offer_draw(people.action(session), ben, Target(offered, people.seat(offered, people.ben), 2))
    tick(services, clock, hours=6)
    (digest,) = people.new()
    assert "offers a draw" in digest.words
    answers = f"In-Reply-To: {digest.mail['Message-ID']}\r\n"
    for number in (other, offered):
        address = reply_address(services, number, people.seat(number, people.ann), 2)
        receive(services, "ann@example.org", address, text, answers)
    with reading(services.engine) as session:
        assert [session.get_one(Game, number).state for number in (offered, other)] == ["over", "running"]


def test_agreement_to_an_earlier_email_than_the_offer_is_asked_about(table: TwoPlayerGame) -> None:
    turn = to_seat(reply(table, 0, "c3"), table, 1)[0]
    reply(table, 0, "draw")
    (asked,) = say_yes(table, 1, turn, "Agreed")
    assert "Did you mean this? Then answer “yes”, or write: draw" in asked.words
    assert table.game().state == "running"
    say_yes(table, 1, asked)
    assert table.game().state == "over"


def test_yes_to_the_email_of_an_expired_offer_does_not_accept_a_later_one(table: TwoPlayerGame) -> None:
    turn = to_seat(reply(table, 0, "c3\r\ndraw"), table, 1)[0]
    for seat, move in ((1, "d4"), (0, "e5"), (1, "a1"), (0, "e1\r\ndraw")):
        reply(table, seat, move)
    say_yes(table, 1, turn)
    assert table.game().state == "running"


@pytest.mark.parametrize("text", ["ok", "Sounds good", "Ja, ich nehme an", "Sure, I was hoping for that"])
def test_unclear_agreement_to_an_offer_suggests_only_to_accept_it(table: TwoPlayerGame, text: str) -> None:
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    (asked,) = say_yes(table, 1, offered, text)
    assert "To accept the draw, write: draw" in asked.words
    assert "Did you mean this? Then answer “yes”, or write: draw" in asked.words
    assert table.game().state == "running"
    say_yes(table, 1, asked)
    assert table.game().state == "over"


def test_agreement_with_a_doubt_may_also_be_a_message(table: TwoPlayerGame) -> None:
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    (asked,) = say_yes(table, 1, offered, "Sure, but not yet")
    assert "Which of these did you mean? draw say Sure, but not yet" in asked.words


def test_yes_to_another_email_while_an_offer_is_open_suggests_to_accept_it(table: TwoPlayerGame) -> None:
    reply(table, 0, "draw")
    (asked,) = reply(table, 1, "yes")
    assert "No question is waiting for your “yes”" in asked.words
    assert "Did you mean this? Then answer “yes”, or write: draw" in asked.words
    assert table.game().state == "running"


@pytest.mark.parametrize(
    "text",
    [
        *("Sure?", "ok", "Ja, ich nehme an", "Sure.\r\nBut not now.", "Of course not", "No, deal"),
        *("Sure!\r\n\r\nLet's play on.", "Sure, play on", "I am not sure", "yes, no", "agreed 5", "deal 👎"),
        f"{'ja ' * 40}nein",
    ],
)
def test_other_answers_to_a_draw_offer_do_not_count_as_yes(table: TwoPlayerGame, text: str) -> None:
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    say_yes(table, 1, offered, text)
    assert table.game().state == "running"


def test_yes_with_thanks_plays_the_suggested_move(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "c3?")
    say_yes(table, 0, asked, "Ja, gerne")
    assert table.game().turn == 2


def test_agreement_plays_no_suggested_move(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "c3?")
    say_yes(table, 0, asked, "Sure")
    assert table.game().turn == 1


def test_yes_to_an_expired_draw_offer_makes_no_new_offer(table: TwoPlayerGame) -> None:
    offered = to_seat(reply(table, 0, "draw"), table, 1)[0]
    for seat, move in ((0, "c3"), (1, "d4"), (0, "e5")):
        reply(table, seat, move)
    say_yes(table, 1, offered)
    with reading(table.services.engine) as session:
        seats = log.seats(session, session.get_one(Game, table.number))
        assert seats[1].seat.proposals == {}


def invited(services: Services) -> Written:
    """Return Ann's invitation to Ben."""
    for name in ("Ann", "Ben"):
        receive(services, f"{name.lower()}@example.org", PLAY, f"register {name}")
    letters = receive(services, "ann@example.org", PLAY, "challenge Ben nibble")
    return next(letter for letter in letters if letter.letter == "invitation")


def answer(services: Services, letter: Written, text: str) -> list[Written]:
    """Return the letters that Ben's reply to a letter causes."""
    answers = f"In-Reply-To: {letter.mail['Message-ID']}\r\n"
    return receive(services, "ben@example.org", str(letter.mail["Reply-To"]), text, answers)


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "Yes please!", "yes, thanks", "Ja, ich nehme es an!", "Ja, ich nehme gerne an", "Zusage"),
        *("I accept!", "Ja ich spiele mit.", "Lieber Ann, ja gerne, da mache ich mit!", "Angenommen!"),
    ],
)
def test_yes_accepts_an_invitation(services: Services, text: str) -> None:
    answer(services, invited(services), text)
    with reading(services.engine) as session:
        assert session.get_one(Game, 1).state == "running"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("ok, accept", ["accept"]),
        ("acept", ["accept"]),
        ("Ich nehme an", ["accept"]),
        ("Da sind wir sehr gerne dabei", ["accept"]),
        ("Wonderful, count me in", ["accept"]),
        ("Leider keine Zeit, danke für die Einladung", ["decline"]),
        ("Unfortunately I am too busy", ["decline"]),
        ("Désolé, pas le temps", ["decline"]),
        ("Yes, but not now", ["accept", "decline"]),
        ("Who are you?", ["accept", "decline"]),
        ("Accept. Count me in!", ["accept"]),
        ("Hi Ann,\r\nsure, with pleasure!\r\n\r\naccept\r\n\r\nBen", ["accept"]),
        ("Sorry, I have to decline this time", ["decline"]),
        ("Sounds great, I am in!", ["accept"]),
    ],
)
def test_prose_answer_to_an_invitation_is_asked_about(
    services: Services, text: str, offered: list[str]
) -> None:
    (asked,) = answer(services, invited(services), text)
    lines = [line.strip() for line in asked.text.splitlines()]
    assert [line for line in lines if line in ("accept", "decline")] == offered
    assert "say" not in asked.text, "nothing can be said yet"
    answer(services, asked, "yes")
    with reading(services.engine) as session:
        state = {"accept": "running", "decline": "declined"}.get(" ".join(offered), "invited")
        assert session.get_one(Game, 1).state == state


def test_command_in_prose_is_asked_about(table: TwoPlayerGame) -> None:
    (asked,) = reply(table, 0, "Hi Ben,\r\nyou are too strong for me.\r\n\r\nresign")
    assert "Did you mean this? Then answer “yes”, or write: resign" in asked.words
    ended = say_yes(table, 0, asked)
    assert table.game().state == "over"
    (asked,) = say_yes(table, 0, to_seat(ended, table, 0)[0], "That was fun. How about a rematch?")
    assert "Which of these did you mean? rematch say That was fun. How about a rematch?" in asked.words


def test_chat_without_command_is_answered_with_an_explanation(table: TwoPlayerGame) -> None:
    (answer,) = reply(table, 0, "What a game!")
    assert "To send a message to the others, begin it with “say”." in answer.words
