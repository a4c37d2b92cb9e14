"""Replies as offices send them: labels above, signatures below, odd encodings, and text that is struck out."""

from __future__ import annotations

import re

import pytest

from server.processes.services import Services
from tests.support.folders import MAILS
from tests.support.server.emails import PLAY, Written, receive, receive_raw
from tests.support.server.games import TwoPlayerGame, mover, reply

_FILES = MAILS / "offices"
_SPECIAL = {
    "blockquote-indent": "",
    "classification-accept": "",
    "nardshir-with-signature": "",
    "strikethrough-nibble": "",
    "unsubscribe-word": "",
    "wrong-account-then-right-one": "",
    "yes-with-classification": "",
}
"""Files with a test of their own."""
_PLAYED = sorted({path.stem for path in _FILES.glob("*.eml")}.difference(_SPECIAL))


@pytest.fixture
def board(services: Services) -> TwoPlayerGame:
    return TwoPlayerGame(services, "nebuchadnezzar", size=8)


def send(table: TwoPlayerGame, name: str, *changes: tuple[bytes, bytes]) -> list[Written]:
    """Let a stored reply of the player to move come in, with these texts replaced."""
    _, address, to = mover(table)
    token = to.removeprefix("play+").partition("@")[0].encode()
    writer = address.partition("@")[0].title().encode()
    raw = (_FILES / f"{name}.eml").read_bytes()
    for before, after in (
        *changes,
        (b"WRITER@example.org", address.encode()),
        (b"WRITER", writer),
        (b"TOKEN", token),
        (b"\n", b"\r\n"),
    ):
        raw = raw.replace(before, after)
    (recipient,) = re.findall(r"^To: .*?(play[^\s<>]*)", raw.decode("latin-1"), re.MULTILINE)
    return receive_raw(table.services, address, recipient, raw)


@pytest.mark.parametrize("name", _PLAYED)
def test_move_is_played_and_stationery_is_not_kept(board: TwoPlayerGame, name: str) -> None:
    _, address, _ = mover(board)
    answers = send(board, name)
    assert board.game().turn == 2, [answer.words for answer in answers]
    assert [answer.letter for answer in answers if answer.to == address] in ([], ["report"])


@pytest.mark.parametrize("above", ["Classification: Public", "[OFFICIAL]", "TLP:CLEAR", "Öffentlich"])
@pytest.mark.parametrize("command", ["resign", "stop", "show", "draw"])
def test_command_below_a_label_is_carried_out(board: TwoPlayerGame, above: str, command: str) -> None:
    seat, _, _ = mover(board)
    (with_label, *_), (alone, *_) = reply(board, seat, f"{above}\n\n{command}"), reply(board, seat, command)
    assert with_label.letter != "refusal"
    if command in ("show", "stop"):
        assert with_label.letter == alone.letter


def test_yes_below_a_label_answers_a_question(board: TwoPlayerGame) -> None:
    seat, address, to = mover(board)
    (asked,) = reply(board, seat, "c44")
    assert "Did you mean" in asked.words
    fields = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    receive(board.services, address, to, "Classification: Public\r\n\r\nyes", fields)
    assert board.game().turn == 2


def test_commands_to_the_plain_address_are_found_in_stationery(board: TwoPlayerGame) -> None:
    _, address, _ = mover(board)
    for text in ("[OFFICIAL]\n\ngames", "games\n\nExample GmbH · Haus D5 · 68159 Mannheim"):
        (answer,) = receive(board.services, address, PLAY, text)
        assert answer.letter == "games"
    (answer,) = receive(board.services, address, PLAY, "Classification: Internal\n\nstop")
    assert answer.letter == "mail_stopped"


def test_refusal_quotes_an_indented_line(board: TwoPlayerGame) -> None:
    (answer,) = send(board, "blockquote-indent")
    assert "All of your email looks quoted, from its first line on: “> c4”." in answer.words


def test_unsubscribe_stops_all_email(board: TwoPlayerGame) -> None:
    assert [answer.letter for answer in send(board, "unsubscribe-word")] == ["mail_stopped"]


def test_reply_sent_again_from_the_right_account_is_played(board: TwoPlayerGame) -> None:
    """The email that asks who wrote it quotes the reply: the player's own words are not taken for ours."""
    _, address, to = mover(board)
    text = "c4\n\nGood luck to you, and see you at the club on Sunday.\nIt was a fine evening last week."
    (asked,) = receive(board.services, "other@work.example", to, text)
    assert asked.to == address
    assert "see you at the club on Sunday" in asked.words
    quoted = "".join(f"> {line}\n" for line in asked.text.splitlines())
    fields = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    answers = receive(board.services, address, to, f"{text}\n\nNabu wrote:\n{quoted}", fields)
    assert board.game().turn == 2, [answer.words for answer in answers]


def test_struck_out_move_is_not_played(services: Services) -> None:
    """One square is struck out, and the other one is taken alone."""
    table = TwoPlayerGame(services, "nibble")
    answers = send(table, "strikethrough-nibble")
    (report, *_) = answers
    assert re.search(r"\bi9\b", report.words)
    assert not re.search(r"(played|took|takes) [^.]*\bi1\b", report.words)


def test_signature_of_numbers_is_no_move_of_nardshir(services: Services) -> None:
    table = TwoPlayerGame(services, "nardshir")
    seat, _, _ = mover(table)
    (shown,) = reply(table, seat, "moves")
    move = re.findall(r"^    (hand\S.*)$", shown.text, re.MULTILINE)[0].strip().encode()
    answers = send(table, "nardshir-with-signature", (b"hand/4 hand/4 4/8 hand/4", move))
    assert table.game().turn == 2, [answer.words for answer in answers]


@pytest.mark.parametrize(
    "below",
    [
        "Room C3",
        "12 Foo Street, London E1 6AN",
        "Tel. +44 20 7946 0000",
        "Flat B2, 12 Foo Street, Exampletown",
        "Beispiel GmbH · Haus D5 · 68159 Mannheim",
        "This email is confidential and for the intended recipient of office C5 only.",
        "Example Ltd | Building C5 | www.example.com",
        "Haus C5\nTelefon 0621 6500",
    ],
)
def test_block_like_an_address_contains_no_move(board: TwoPlayerGame, below: str) -> None:
    seat, _, _ = mover(board)
    answers = reply(board, seat, f"c4\n\n{below}")
    assert board.game().turn == 2, [answer.words for answer in answers]


@pytest.mark.parametrize(
    "below",
    [
        "c5",
        "Room\nc5",
        "No, c5 instead.",
        "Or rather c5, in Room 3?",
        "NAME\nActually c5",
        "NAME\nNot c4 but c5",
        "Room 5\nor c5?",
    ],
)
def test_second_move_is_still_found(board: TwoPlayerGame, below: str) -> None:
    seat, _, _ = mover(board)
    reply(board, seat, f"c4\n\n{below.replace('NAME', board.players[seat].name)}")
    assert board.game().turn == 1
    assert board.game().state == "running"


def test_message_keeps_its_end(board: TwoPlayerGame) -> None:
    """The end of a message may look like a signature."""
    seat, _, _ = mover(board)
    answers = reply(board, seat, "say see you there:\n\n12 Foo Street, London")
    (heard,) = [answer for answer in answers if answer.to == board.players[1 - seat].email]
    assert "12 Foo Street, London" in heard.words


@pytest.mark.parametrize(
    "text",
    [
        "ACHTUNG: Diese E-Mail stammt von einem externen Absender.\n\nc4",
        "ATTENTION : ce message provient de l'extérieur de l'organisation.\n\nc4",
        "【外部邮件】请注意附件安全。\n\nc4",
        "ВНИМАНИЕ: внешний отправитель. Не открывайте вложения.\n\nc4",
        "تنبيه: هذه الرسالة من خارج المؤسسة.\n\nc4",
        "Для служебного пользования\n\nc4",
        "社外秘\n\nc4",
        "OFFICIAL\nc4\n\nOFFICIAL",
        "Classification: C2 - Internal\n\nc4\n\nC2 General",
        "[Ticket #C5-20260302]\n\nc4\n\nTicket: INC0012345 / Ref: C5-2026-0302",
        "Nabu 様\n\nお世話になっております。\n\nc4\n\n株式会社サンプル\n〒100-0001 東京都千代田区1-2-3 C5ビル",
        "您好，\n\nc4\n\n此致\n敬礼\n王小明\n北京市朝阳区C5座1203室",
        "Добрый день!\n\nc4\n\nС уважением, Анна, каб. C5",
        "السلام عليكم\n\nc4\n\nمع تحياتي،\nمبنى C5، شارع الملك",
        "Sehr geehrte Damen und Herren,\n\nc4\n\nMit freundlichem Gruß\nim Auftrag\nNAME Meier\nZimmer C5",
        "Madame, Monsieur,\n\nc4\n\nCordialement,\nBureau C5",
        "Buenos días:\n\nc4\n\nUn cordial saludo,\nAna Ruiz\nDespacho C5",
        "Hi Nabu team,\n\nPlease find my move below:\n\nc4\nNAME Miller\n12 Foo Street, Flat C5",
        "c4\n\nCe message est confidentiel. Si vous n'êtes pas le destinataire, bureau C5, détruisez-le.",
        "c4\n\nEste mensaje es confidencial. Si no es usted el destinatario, avise a la oficina C5.",
        "c4\n\nExample plc. Registered office: Tower C5, London. Registered in England no. 1234567.",
        "c4\n\nJoin Zoom Meeting\nMeeting ID: 123 456\nPasscode: c5",
        "c4\n\n__________ Information from ESET Endpoint Antivirus, version C5 __________",
    ],
)
def test_stationery_of_many_countries_is_recognized(board: TwoPlayerGame, text: str) -> None:
    seat, address, _ = mover(board)
    answers = reply(board, seat, text.replace("NAME", board.players[seat].name))
    assert board.game().turn == 2, [answer.words for answer in answers]
    assert not any("has not been sent" in answer.words for answer in answers if answer.to == address)


@pytest.mark.parametrize(
    "text",
    [
        "c4\nNAME Miller\nc5",
        "[c5]\n\nc4",
        "[actually c5, not c4]\n\nc4",
        "c4\n\nRef: c5 instead",
        "c4\n\nThis is confidential, dear recipient: c5?",
        "Translated from chess notation: c5\n\nc4",
        "c4\n\nNAME Miller\nSorry, I meant c5",
        "The email of an external player said not c4 but c5.\n\nc4",
        "c4\n\nThe external mail says: rather c5, or not?",
        "In the other game you played:\n\nc4",
        "c4\n\nC5",
        "c4\n\nfloor it: c5",
    ],
)
def test_text_that_only_resembles_stationery_is_still_read(board: TwoPlayerGame, text: str) -> None:
    seat, _, _ = mover(board)
    reply(board, seat, text.replace("NAME", board.players[seat].name))
    assert board.game().turn == 1
