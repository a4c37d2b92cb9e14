"""Every email gets a final state, and each mistake the answer that docs/mail.md lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from mail.reading.quoting import SENTINEL
from rules.errors import WrongMove
from server import errors
from server.accounts import players
from server.processes.services import Services
from server.store import inbox
from server.store.db import reading
from server.store.models import Inbox, Outbox
from server.store.tokens import ReplyToken
from tests.support.document_tables import cells_about_email
from tests.support.folders import ROOT
from tests.support.server.games import TwoPlayerGame


def game_types(root: type[Exception]) -> Iterator[str]:
    """Yield all subclasses of an exception."""
    for game_type in root.__subclasses__():
        yield game_type.__name__
        yield from game_types(game_type)


def _why(argument: ast.expr) -> Iterator[str]:
    match argument:
        case ast.Constant(value=str(why)):
            yield why
        case ast.JoinedStr(values=pieces):
            yield "".join(str(piece.value) if isinstance(piece, ast.Constant) else "…" for piece in pieces)


def endings() -> Iterator[str]:
    """Return the reasons of final states in the code, with … in place of inserted values."""
    yield inbox.BROKEN_OFF
    for path in (ROOT / "server" / "inbound").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("quarantined", "done"):
                yield from _why(node.args[0])


def test_each_sort_of_mistake_is_on_the_help_page() -> None:
    written = [cells[0].strip("`") for cells in cells_about_email("Error replies")]
    assert sorted(written) == sorted({*game_types(errors.Refused), *game_types(WrongMove)})


def test_each_final_state_without_an_answer_is_on_the_help_page() -> None:
    assert sorted(cells[0] for cells in cells_about_email("Unanswered emails")) == sorted(set(endings()))


def test_help_page_shows_the_sentinel() -> None:
    page = ROOT / "docs" / "playing-by-email.md"
    assert f"`{SENTINEL}`" in page.read_text(encoding="utf-8")


class Answers:
    """A player who writes emails, and the answers."""

    def __init__(self, table: TwoPlayerGame, seat: int = 0) -> None:
        self.table = table
        self.services = table.services
        self.seat = seat
        self.address = f"{table.players[seat].name.lower()}@example.org"
        self._count = 0

    def reply(self, text: str, turn: int = 1, subject: str = "") -> tuple[Inbox, list[Outbox]]:
        """Reply to an email about the game."""
        token = self.services.tokens.write(ReplyToken(self.table.number, self.seat, turn))
        return self.write(text, f"play+{token}@games.example.org", subject=subject)

    def write(
        self, text: str, to: str = "play@games.example.org", sender: str = "", subject: str = ""
    ) -> tuple[Inbox, list[Outbox]]:
        """Return the final state of an email, and the emails that it caused to its sender."""
        self._count += 1
        mail = EmailMessage()
        mail["From"] = sender or self.address
        mail["To"] = to
        mail["Subject"] = subject
        mail["Message-ID"] = f"<{self._count}.{self.seat}@example.org>"
        mail.set_content(text)
        services = self.services
        with reading(services.engine) as session:
            last = session.exec(select(Outbox.id).order_by(col(Outbox.id).desc())).first() or 0
        received = Received("smtp", "127.0.0.1", sender or self.address, (to,), mail.as_bytes())
        services.reception().store([received])
        assert services.pipeline().handle_next(services.now())
        with reading(services.engine) as session:
            row = session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first()
            query = select(Outbox).where(col(Outbox.id) > last, Outbox.recipient == (sender or self.address))
            mails = list(session.exec(query))
        assert row is not None
        return row, mails

    def last_report(self) -> str:
        """Return the last report to the player, without the sentinel."""
        query = select(Outbox).where(Outbox.recipient == self.address, Outbox.letter == "report")
        with reading(self.services.engine) as session:
            report = session.exec(query.order_by(col(Outbox.id).desc())).first()
        assert report is not None
        return self.text(report).split("\n", 1)[1]

    def text(self, row: Outbox) -> str:
        """Return the text of an email."""
        with reading(self.services.engine) as session:
            return self.services.writer.text(session, row)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "mistake", "words"),
    [
        ("", "NothingWritten", ["There is no text in your email.", "on the first line"]),
        ("> c3", "NothingWritten", ["looks quoted, from its first line on: “> c3”."]),
        ("-- \nAnn", "NothingWritten", ["begins with “--”, which looks like a signature"]),
        ("say hi\n\n> x\n\nc3\n", "LeftOut", ["“c3” is below or between the lines of the quoted"]),
        ("Hello Ben,\n\n> x\n\nc3\n", "LeftOut", ["“c3” is below or between the lines of the quoted"]),
        ("c3\n\n> x\n\nd4\n", "LeftOut", ["“d4” is below or between the lines of the quoted"]),
        ("Hello Ben", "NotUnderstood", ["“Hello Ben”", "neither a move nor a command"]),
        ("resign in a week", "NotUnderstood", ["not a command: write “resign” alone on its line. Write only"]),
        ("give some time", "NotUnderstood", ["not a command. Write “give” like this: give 1d. Write only"]),
        ("c3?", "NotUnderstood", ["“c3?”", "Did you mean this? Then answer “yes”, or write: c3"]),
        ("My move is C3, I think", "NotUnderstood", ["Did you mean this? Then answer “yes”, or write: c3 "]),
        ("c3\nd4", "Unclear", ["two moves, in two lines: “c3” and “d4”", "did you mean? c3 d4 Open"]),
        ("c3\n\nor d4", "Unclear", ["the move “c3”, but the line “or d4” leaves open"]),
        ("What about this?\n\nc3", "Unclear", ["the line “What about this?” leaves open"]),
        ("say hello\nc3", "Unclear", ["The line “c3” is below “say”"]),
        ("say hello\nc9", "Unclear", ["The line “c9” is below “say”"]),
        ("c3\nsay hello\nresign", "Unclear", ["The line “resign” is below “say”"]),
        ("drwa", "NotUnderstood", ["Did you mean this?", "draw"]),
        ("c3\nd4x", "BreaksOff", ["“d4x”", "empty line"]),
        ("? c3\nd4", "Unreadable", []),
        ("c9", "IllegalMove", ["c9", "Which of these did you mean?", "c3"]),
        ("say", "BadRequest", ["say TEXT"]),
        ("accept", "NotRunning", []),
        ("luck x", "NotRunning", []),
    ],
)
def test_mistake_gets_one_answer_that_helps(
    table: TwoPlayerGame, text: str, mistake: str, words: list[str]
) -> None:
    player = Answers(table)
    row, mails = player.reply(text)
    assert (row.state, row.why) == ("refused", mistake)
    assert [mail.letter for mail in mails] == ["refusal"]
    answer = player.text(mails[0])
    said = " ".join(answer.split())
    for each in [*words, "Nothing was played", "Open the board", 'reply "help"']:
        assert each in said
    assert table.game().turn == 1


def test_mistakes_about_the_state_of_a_game(table: TwoPlayerGame) -> None:
    first, second = Answers(table, 0), Answers(table, 1)
    assert second.reply("c3")[0].why == "NotYourTurn"
    assert first.reply("c3")[0].state == "done"
    assert first.reply("d4")[0].why == "StaleReply"
    assert second.reply("resign", turn=2)[0].state == "done"
    row, mails = first.reply("e1", turn=2)
    assert (row.why, [mail.letter for mail in mails]) == ("GameOver", ["refusal"])


@pytest.mark.parametrize("text", ["c3", "resign", "draw"])
def test_answer_to_the_invitation_of_a_started_game(table: TwoPlayerGame, text: str) -> None:
    player = Answers(table)
    # In an invitation it is their place among the invited players.
    player.seat = table.game().asked.index(players.identity(table.players[0]))
    row, mails = player.reply(text, turn=0)
    player.seat = 0
    said = " ".join(player.text(mails[0]).split())
    assert row.why == "StaleReply"
    assert "This answers the invitation, but the game has started: it is now turn 1." in said
    again = "To try again, reply to this email. You wrote:"
    assert (again if text == "c3" else f"Then answer “yes”, or write: {text}") in said
    assert player.reply(text)[0].state == "done"


def test_unreadable_order_is_corrected_within_the_complete_set(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=2, sea=0)
    for seat, squares in enumerate(("1 a1, 2 a3", "A b1, B b3")):
        table.submit(seat, squares)
    player = Answers(table)
    row, mails = player.reply("1 nee, 2 hold", turn=2)
    assert row.why == "NotUnderstood"
    assert "    1 ne, 2 hold" in player.text(mails[0]).splitlines()


def test_replaced_spellings_are_reported_only_to_the_writer(table: TwoPlayerGame) -> None:
    first, second = Answers(table, 0), Answers(table, 1)
    row, mails = first.reply("с3")
    assert row.state == "done"
    assert [mail.letter for mail in mails] == ["report"]
    assert "Nabu read с3 (Cyrillic с) as c3." in first.text(mails[0])
    assert "Nabu read" not in second.text(second.reply("show", turn=2)[1][0])


def test_endless_mistakes_are_not_answered(table: TwoPlayerGame) -> None:
    player = Answers(table)
    for number in range(40):
        assert player.reply(f"Hello {number}")[0].state == "refused"
        if number % 9 == 0:
            table.clock.advance(minutes=1)
            assert player.reply("show")[0].state == "done"
            table.clock.advance(minutes=1)
    row, mails = player.reply("Hello")
    assert (row.state, row.why, mails) == ("quarantined", "enough refusals today", [])
    assert player.reply("c3")[0].state == "done"


def test_stranger_gets_one_answer_a_day(table: TwoPlayerGame) -> None:
    player = Answers(table)
    row, mails = player.write("Buy this", sender="eve@example.com")
    assert (row.why, [mail.letter for mail in mails]) == ("NotUnderstood", ["hello"])
    row, mails = player.write("Buy this!", sender="eve@example.com")
    assert (row.state, mails) == ("quarantined", [])


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "NothingWritten"),
        ("> help", "NothingWritten"),
        ("c99", "IllegalMove"),
        ("1 c99", "IllegalMove"),
        ("go there", "NotUnderstood"),
        ("1 go there", "NotUnderstood"),
        ("7 c3", "NotUnderstood"),
        ("resign 7", "NotYours"),
        ("challenge ben chess", "BadRequest"),
        ("accept", "BadRequest"),
    ],
)
def test_mistake_in_an_email_to_the_plain_address_gets_one_answer(
    table: TwoPlayerGame, text: str, mistake: str
) -> None:
    row, mails = Answers(table).write(text)
    assert (row.state, row.why) == ("refused", mistake)
    assert [mail.letter for mail in mails] == ["refusal_account"]


def test_unmarked_quote_without_sentinel_is_recognized_by_sent_texts(table: TwoPlayerGame) -> None:
    """A program leaves out the first line of the quote, and the player writes nothing above it."""
    player = Answers(table)
    quote = player.last_report()
    assert player.reply(f"c3\n{quote}")[0].state == "done"
    other = Answers(table, 1)
    examples = other.last_report().split("for example:\n")[1]
    assert examples.startswith("\n    ")
    assert other.reply(examples, turn=2)[0].why == "NothingWritten"
    assert table.game().turn == 2


def test_unmarked_example_directly_above_the_quote_is_not_played(
    table: TwoPlayerGame,
) -> None:
    """A program leaves one line of a quote unmarked; the email still contains the sentinel."""
    player = Answers(table)
    first, *others = player.last_report().split("for example:\n\n")[1].split("\n")
    quote = "\n".join(f"> {line}" for line in [*others, SENTINEL])
    row, _ = player.reply(f"{first}\n{quote}")
    assert (row.state, row.why, table.game().turn) == ("refused", "NothingWritten", 1)
    assert player.reply(f"{first}\n\nNabu wrote:\n{quote}")[0].state == "done", "written above the quote, it is"


@pytest.mark.parametrize("below", ["", "\nsay hello"])
@pytest.mark.parametrize("cut", [False, True])
def test_example_typed_at_its_place_is_played(table: TwoPlayerGame, below: str, cut: bool) -> None:
    player = Answers(table)
    head, _, rest = player.last_report().partition("for example:\n\n")
    first = rest.split("\n")[0].strip()
    quote = "\n".join(f"> {line}" for line in f"{SENTINEL}\n{head}for example:\n".split("\n"))
    foot = "\n".join(f"> {line}" for line in rest.split("\n"))
    row, _ = player.reply(f"{quote}\n{first}{below}\n{'' if cut else foot}")
    assert (row.state, row.why) == ("done", "move, say" if below else "move")
    assert table.game().turn == 2


def test_possible_move_is_never_left_out_silently(table: TwoPlayerGame) -> None:
    player = Answers(table)
    head, _, rest = player.last_report().partition("for example:\n\n")
    first, others = rest.split("\n", 1)
    quote, foot = (
        "\n".join(f"> {line}" for line in text.split("\n")) for text in (f"{head}for example:", others)
    )
    row, mails = player.reply(f"> {SENTINEL}\n{quote}\n>\n{first.strip()}\n{foot}\n\nsay hello")
    assert (row.state, row.why) == ("refused", "LeftOut")
    assert f"“{first.strip()}” is among the quoted lines" in " ".join(player.text(mails[0]).split())
    assert player.reply(f"stop\n\n> {SENTINEL}\n{quote}\n\nc3")[0].state == "done", "no more mail at once"


def test_text_below_the_quote_and_move_in_the_subject_are_named(table: TwoPlayerGame) -> None:
    player = Answers(table)
    said = "\n".join([SENTINEL, player.last_report()])
    assert "b2" not in said.split()
    row, mails = player.reply(f"{said}\n\nb2", subject="Re: b1")
    assert (row.state, row.why) == ("refused", "NothingWritten")
    answer = " ".join(player.text(mails[0]).split())
    assert "All of your email looks quoted, from its first line on: “##- write your move" in answer
    assert "The line “b2” is among the quoted lines or below them." in answer
    assert "“b1” is in the subject, where Nabu does not read it. Write your move on the first line" in answer


@pytest.mark.both
def test_move_between_two_quoted_lines_is_read(table: TwoPlayerGame) -> None:
    """There is no empty line around it, and no other text."""
    player = Answers(table)
    lines = [f"> {line}" for line in [SENTINEL, *player.last_report().split("\n")]]
    place = lines.index("> Write your move on the first line of your reply, for example:") + 1
    assert "b2" not in player.last_report().split()
    row, _ = player.reply("\n".join([*lines[:place], "b2", *lines[place:]]))
    assert (row.state, table.game().turn) == ("done", 2)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n\nOn Monday, Nabu <play@games.example.org> wrote:\n\n"])
def test_move_below_the_quote_is_refused_and_named_if_there_is_text_above(
    table: TwoPlayerGame, between: str
) -> None:
    player = Answers(table)
    quoted = "\n".join([SENTINEL, player.last_report().strip()])
    assert player.reply(f"say hello{between}{quoted}")[0].state == "done"
    row, mails = player.reply(f"say hello{between}{quoted}\n\nb2")
    assert (row.state, row.why) == ("refused", "LeftOut")
    assert "“b2” is among the quoted lines" in " ".join(player.text(mails[0]).split())


def test_refusal_says_played_only_of_a_running_game(table: TwoPlayerGame) -> None:
    player = Answers(table)
    _, (running,) = player.reply("Kxe5")
    assert "Nothing was played." in player.text(running)
    player.reply("resign")
    _, (over,) = player.reply("Kxe5")
    assert "Nothing was played." not in player.text(over)
    assert "Nothing was changed." in player.text(over)


@pytest.mark.game("nelaxtam", size=10, troops=1, sea=0)
def test_refusal_of_new_orders_says_that_the_sealed_ones_remain(table: TwoPlayerGame) -> None:
    player = Answers(table)
    table.submit(0, "1 d4")
    _, (answer,) = player.reply("one to the corner")
    said = " ".join(player.text(answer).split())
    assert "Your sealed orders are unchanged. To try again, reply to this email, for example with “1 " in said
    assert "Nothing was played" not in said


@pytest.mark.game("nardshir")
@pytest.mark.parametrize("text", ["takeback", "if 5/6 then 5/6", "analyse", "claim"])
def test_refusal_offers_no_retry_where_no_text_would_help(table: TwoPlayerGame, text: str) -> None:
    for seat in (0, 1):
        player = Answers(table, seat)
        row, (answer,) = player.reply(text)
        assert row.why == "Impossible"
        assert "To try again" not in player.text(answer)
