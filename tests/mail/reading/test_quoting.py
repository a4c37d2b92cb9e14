"""The split of emails into the person's text and the program's."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotequail._patterns import COMPILED_PATTERNS  # type: ignore[import-untyped]

from mail.reading import quoting
from mail.reading.languages.language import Language
from mail.reading.languages.phrases import LANGUAGES
from mail.reading.markers import block_above
from mail.reading.quoting import SENTINEL, split, worth_asking_about
from tests.support.examples import examples

OURS = f"""{SENTINEL}

Ben played d5. It is your turn until Friday, 6 March, 18:00 (Berlin).

     a b c d e
   5 . . . . .
   4 . . X . .

Reply with your move above this line, e.g.: c4
"""
MARKED = "\n".join(f"> {line}" for line in OURS.split("\n"))


@pytest.mark.parametrize(
    "mail",
    [
        "c4",
        "\n\n \t\n\u00a0\nc4\n\n",
        f"c4\n\n{OURS}",
        f"c4\n{MARKED}",
        f"c4\n\nOn Mon, Mar 2, 2026 at 3:04 PM Nabu <play+k7@games.example>\nwrote:\n\n{MARKED}",
        f"c4\n\nOn Mon, Mar 2, 2026 at 3:04 PM Nabu\n<play+k7@games.example> wrote:\n\n{MARKED}",
        f"c4\n\nпн, 2 мар. 2026 г. в 15:04, Nabu <play+k7@games.example>:\n\n{MARKED}",
        f"c4\n\nVon: Nabu <play@games.example>\nGesendet: Montag, 2. März 2026\nAn: Ann\nBetreff: x\n\n{OURS}",
        f"c4\n\nOd nadawcy: Nabu\nChwila: 2 marca\nDla: Ann\n\n{OURS}",
        f"c4\n\nOn Nov 21, 2026,\nat 10:18,\nNabu <play@games.example> wrote:\n\n{MARKED}",
        f"c4\n\nOn Wed, 14 Nov 2026 08:14:43 -0200 Nabu <play@games.example> wrote\n\n{OURS}",
        f"c4\n\n2026/4/7 Nabu <play@games.example>\n\n{MARKED}",
        f"c4\n\nO\nn Monday, 2026-03-02 15:04:00 Nabu <play@games.example> wrote:\n{MARKED}",
        f"c4\nA\nm Montag, 2. März 2026, 15:04:00 CET schrieb Nabu:\n{MARKED}",
        f"c4\n\n---- Nabu wrote ----\n\n{MARKED}",
        f"{MARKED}\n\nc4\n\nOn Monday, Ben wrote:\n> an older mail",
        f"{MARKED}\n\nc4\n\nOn Mon, Mar 2, 2026 at 3:04 PM Ben\n<ben@example.org> wrote:\n\n> an older mail",
        f"c4\n\nХэнээс: Nabu <play@games.example>\nОгноо: 2026.03.02 15:04\nХэнд: Ann\nСэдэв: x\n\n{OURS}",
        f"c4\n\n-----Original Message-----\n{OURS}",
        f"c4\n\nSent from my iPhone\n\n{MARKED}",
        f"c4\n\nSent from TypeApp<https://www.typeapp.com/r>\n\n{MARKED}",
        f"c4\n\nGet BlueMail for Android\n\n{MARKED}",
        f"c4\n\nYahoo Mail: Search, Organize, Conquer\n\n{MARKED}",
        f"c4\n\nVirus-free. www.avast.com\n\n{MARKED}",
        f"c4\n\nVirenfrei.www.avast.com <https://www.avast.com/sig-email?utm_medium=email&utm_source=link>\n\n{MARKED}",
        f"c4\n\n내 Galaxy에서 전송함\n\n{MARKED}",
        f"c4\n\niOS-д зориулсан Outlook\n\n{MARKED}",
        f"c4\n\nIšsiųsta iš mano iPhone\n{MARKED}",
        f"c4\n-- \nAnn Lee\n+49 30 123\n\n{MARKED}",
        f"c4\n\n_______________________________________________\na list\nlist@example.org\n{MARKED}",
        f"{MARKED}\n\nc4\n\n-- \nAnn",
        f"Nabu wrote:\n{MARKED}\n\nc4\n\n> and the foot of it\n",
        f"{MARKED}\n> a line that was too long for the program and has been\nbroken\n> here\n\nc4\n",
    ],
)
@pytest.mark.parametrize("sent", [(), (OURS,)])
def test_move_is_found_above_or_below_a_quote(mail: str, sent: tuple[str, ...]) -> None:
    assert split(mail, sent).text == "c4"


@pytest.mark.parametrize(
    "text",
    [
        "From: b2 I go to c4",
        "On second thought, c4",
        "On 2 March you wrote: pass\nso pass",
        "say From: me To: you Subject: hurry",
        "say see you at 15:04:",
        "a1\n- b2\n-- c3",
        "De: a\nA: b",
        "c4 > d5",
        "say my move is sent via pigeon",
        "say hello\nSent from my desk, as my phone is broken",
        "say so\nOn move 3 you wrote a1",
        "say so\n\nOn the way home Ben wrote:\n\nhello",
        "a1\n-- b2 --\nc3",
        "say this is\noriginal",
    ],
)
def test_text_that_only_looks_like_a_quote_stays(text: str) -> None:
    assert split(text).text == text
    assert split(f"{text}\n\n{MARKED}", [OURS]).text == text


# The contents of quotes whose lines are not known: a move in them must not be read as the player's.
BODY = "It is your move.\n\nd5\n"


@pytest.mark.parametrize(
    "head",
    [
        "From: Nabu\nSent: Monday\nTo: Ann\nSubject: Nibble 7",
        "Von: Nabu\nGesendet: Montag, 2. März 2026 15:04\nAn: Ann\nBetreff: Nibble 7",
        "Da: Nabu\nRisposta: Nabu\nData: lunedì 2 marzo 2026 15:04\nA: Ann\nOggetto: Nibble 7",
        "De: Nabu\nEnvoyé: lundi 2 mars 2026 15:04\nÀ: Ann\nObjet: Nibble 7\nx: y",
        "------------------------------\n\n*From:* Nabu\n*Sent:* 2026-03-02\n*To:* Ann\n*Subject:* Nibble 7",
        "Message du : 02/03/2026 15:04\nDe : Nabu <play@games.example>\nA : Ann\nSujet : Nibble 7",
        "From: Nabu\n<a-very-long-address+k7k7k7k7k7@games.example>\nSent: Monday\nTo: Ann\nSubject: x",
        "2026-03-02 15:04 GMT+01:00 Nabu",
        "Nabu <play@games.example> wrote:",
        "Nabu <play@games.example> schrieb:",
        "On Mon, Mar 2, 2026 at 3:04 PM Nabu\n\n<",
        "On Mon, Mar 2, 2026 at 3:04 PM Nabu\n\n<\nmailto:Nabu <play@games.example>\n> wrote:",
        'Am 02.03.2026 15:04 schrieb "Nabu" <play@games.example\n>:',
        "*-------- Original Message --------*",
        "Original Message:",
        "Nabu <play@games.example>\n02.03.2026 15:04\n\nAn\nann@example.org\nThema\nNibble 7",
        "---- Replied Message ----\n| From | Nabu<play@games.example> |\n| Date | 3/2/2026 15:04 |",
        "====\n\nOn Mon, 2 Mar 2026 15:04:00 +0100, Nabu <play@games.example> wrote:",
        "\u1427\n\nOn Mon, 2 Mar 2026 15:04:00 +0100, Nabu <play@games.example> wrote:",
    ],
)
@pytest.mark.parametrize("text", ["c4", "A: h3, B: e2, C: g2", "A: h3\nB: e2\nC: g2", "say: well done"])
def test_introduction_of_a_quote_ends_the_text(text: str, head: str) -> None:
    for blank in ("\n", "\n\n"):
        assert split(f"{text}{blank}{head}\n\n{BODY}").text == text


def test_orders_directly_above_a_quote_are_no_header_block() -> None:
    orders = "A: h3\nB: e2\nC: g2"
    assert split(f"{orders}\n{MARKED}").text == orders
    assert split(f"{orders}\n\nХэнээс: Nabu\nОгноо: x\nХэнд: Ann\n\n{OURS}").text == orders


@pytest.mark.parametrize(
    ("block", "is_block"),
    [
        ("Zvon: Nabu <play@games.example>\nDato: 2.3.2026 15:04\nZel: Ann", True),
        ("Zvon: Nabu <play@games.example>\nDato: 2.3.2026 15:04", False),
        ("Zvon: Nabu <play@games.example>\nDato: Monday\nZel: Ann", False),
        ("Zvon: Nabu\nDato: 2.3.2026 15:04\nZel: Ann", False),
    ],
)
def test_headers_in_an_unknown_language_are_three_with_an_address_and_a_date(
    block: str, is_block: bool
) -> None:
    assert split(f"c4\n\n{block}\n\nYour move.").text == ("c4" if is_block else f"c4\n\n{block}\n\nYour move.")


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_headers_in_a_known_language_need_no_address_and_no_date(language: Language) -> None:
    labels = [language.sender.split("; ")[0], *language.labels.split("; ")[:3]]
    head = "\n".join(f"{label}: Nabu" for label in labels)
    assert split(f"c4\n\n{head}\n\n{BODY}").text == "c4"


def test_line_with_a_time_alone_is_no_attribution() -> None:
    for text in ("say smaller\n<\nback on 2.3.2026 at 10:30", "say back at 10:30\n<\nsee you"):
        assert split(text).text == text
    assert split(f"c4\n\n{text.replace('at', '2.3.2026')}").text == "c4"


def test_block_of_headers_can_begin_in_the_first_line() -> None:
    """The search stops at the first line and does not wrap around to the last."""
    lines = ["Хэнээс: Nabu", "Огноо: x", "Хэнд: Ann", "> Board", "PS: thanks"]
    assert block_above(lines, 3) == 0


@pytest.mark.parametrize("mark", ["|> ", "AW> ", "AW>", "N> ", "An.L> ", "| ", ": ", " | "])
def test_unusual_quote_marks_are_recognized(mark: str) -> None:
    quote = "\n".join(f"{mark}{line}".rstrip() for line in OURS.strip().split("\n"))
    for sent in ((), (OURS,)):
        assert split(f"c4\n\nOn Monday, Nabu wrote:\n\n{quote}", sent).text == "c4"
        assert split(f"Hello Nabu,\n\n{quote}\n\nc4", sent).below == "c4"
        assert split(f"{quote}\n\nc4", sent).text == "c4"


@pytest.mark.parametrize("text", ["A> e\nB> n", "| a\n| b", ": x", "A> e\nc4\nd4\ne4\nA> n\nf4\nA> s"])
def test_few_lines_with_a_sign_are_no_quote(text: str) -> None:
    assert split(text).text == text


@pytest.mark.parametrize("sent", [(), (OURS,)])
def test_text_below_an_attribution_is_read_if_the_quote_was_deleted(sent: tuple[str, ...]) -> None:
    head = "On Mon, Mar 2, 2026 at 3:04 PM Nabu\n<play@games.example> wrote:\n\n"
    written = split(f"{head}c4\n\n-- \nAnn", sent)
    assert (written.text, written.follows) == ("c4", True)
    assert split(f"{head}{OURS}\nc4", sent).text == ""
    assert split(f"{head}c4\n\n{head}d5", sent).text == "c4"
    assert split(f"{head}{OURS.split(SENTINEL)[1]}\nc4", [OURS]).text == "", "known by its lines"


def test_line_equal_to_a_sent_one_is_still_the_players() -> None:
    history = "1. c4\n2. d5\n3. a1 b2\nThis is the whole history of your game with Ben so far."
    assert split("d5\na1 b2\n", [history]).text == "d5\na1 b2"


def test_unmarked_quote_is_recognized_by_its_lines() -> None:
    ours = OURS.split("\n", 2)[2]
    assert split(f"c4\n{ours}", [OURS]).text == "c4"
    assert split(f"4 . . X . .\n\n{ours}", [OURS]).text == "4 . . X . ."


@pytest.mark.parametrize(
    "line",
    [
        "Reply with your move above this line, e.g.: c4 They stay sealed until all are in.",
        "10| x  o  x  o  x  o  x  o  x  o |10",
    ],
)
def test_single_line_of_nabu_without_a_mark_is_not_the_players(line: str) -> None:
    """A program has joined two lines, or left one out."""
    sent = f"{OURS}They stay sealed until all are in.\n\n10| x  o  x  o  x  o  x  o  x  o |10\n"
    assert split(f"a1\n{line}", [sent]).text == "a1"


@pytest.mark.parametrize(
    "line",
    [
        "Sorry for being so slow lately",
        "Sorry for “being” so slow lately",
        "Sorry for being” so slow lately, Ben",
        "Sorry for being this slow",
    ],
)
def test_line_that_nabu_has_quoted_is_still_the_players(line: str) -> None:
    refusal = f"The first line of your email is “{line}”, which\nis neither a move nor a command."
    sent = f"{OURS}\n\n{refusal}\n\nReply “yes” or write your move."
    text = f"c4\nsay\n{line}\nMy cat was ill."
    assert split(f"{text}\n\nNabu wrote:\n{MARKED}", [sent]).text == text
    for ours in (refusal, "is neither a move nor a command."):
        assert split(f"c4\n{ours}\n{MARKED}", [sent]).text == "c4"


def test_unmarked_quote_with_the_sentinel_is_removed_completely() -> None:
    assert split(OURS).text == ""
    assert split(f"Nabu <play@games.example> on 2.3.2026:\n\n{OURS}\nc4").text == ""


@pytest.mark.parametrize(
    "attribution",
    [
        "Am 02.03.26 um 15:04 schrieb Nabu:",
        "Nabu wrote:",
        "On Mon, Mar 2, 2026 at 3:04 PM Nabu\n<play@games.example> wrote:",
        "Nabu <play@games.example>, 2 Mar 2026 Pzt, 15:04 tarihinde\nşunu yazdı:",
    ],
)
def test_command_directly_above_an_attribution_stays(attribution: str) -> None:
    for command in ("challenge ben@example.org nibble", "say so\nOn second thought, pass"):
        assert split(f"{command}\n{attribution}\n{MARKED}").text == command


def test_date_in_the_text_is_no_part_of_the_attribution_below_an_empty_line() -> None:
    text = "say see you on 2.3.2026 at 15:04"
    assert split(f"{text}\n\nNabu wrote:\n{MARKED}").text == text


@pytest.mark.parametrize(
    "sentinel",
    [
        "##- Schreib Deinen Zug über diese Zeile -##",
        "## - write above - ##",
        "##- write your move\nabove this line -##",
        "\u200b##- write your move above this line -##",
        "* ##- write *",
    ],
)
def test_sentinel_is_recognized_by_its_marks(sentinel: str) -> None:
    assert split(f"c4\n\n{sentinel}\nIt is your turn.").text == "c4"


def test_marker_line_of_a_help_desk_is_no_sentinel() -> None:
    theirs = "##- Please type your reply above this line -##"
    assert split(f"{theirs}\n\nc4\n\n{OURS}").text == "c4"
    assert split(f"{theirs}\n\nc4\n\n{MARKED}").text == "c4"
    assert split(f"c4\n\n{theirs}\n\n{OURS}").text == "c4"
    assert split(f"{theirs}\n\nc4\n").text == "", "ours may have been translated"
    assert split(f"{SENTINEL}\n\nc4\n\n{OURS}").text == ""


def test_you_wrote_is_an_attribution_only_before_a_quote() -> None:
    assert split("You wrote:\nc4").text == "You wrote:\nc4"
    assert split(f"c4\n\nYou wrote:\n{MARKED}").text == "c4"


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("pattern", COMPILED_PATTERNS, ids=lambda pattern: pattern.pattern)
@examples(20)
@given(data=st.data())
def test_library_is_asked_about_all_patterns_that_it_knows(
    pattern: re.Pattern[str], data: st.DataObject
) -> None:
    line = data.draw(st.from_regex(pattern, fullmatch=True).map(str.strip))
    place = data.draw(st.sampled_from([found.start() for found in re.finditer(" |$", line)]))
    lines = [piece for piece in (line[:place].strip(), line[place:].strip()) if piece]
    assert worth_asking_about(lines) == lines


def test_cut_lines_are_kept() -> None:
    assert split("c4\n\n-- \nAnn\n> one\n> two\n").rest == "--\nAnn\n> one\n> two"


@pytest.mark.parametrize(("names", "most"), [("Nabu", 12), ("Ben", 2)], ids=["introduction", "signature"])
def test_few_lines_above_a_quote_are_the_programs_and_more_may_be_the_persons(names: str, most: int) -> None:
    """Text that may be the person's is not dropped silently: they are told that it was left out."""
    introduction = ["Sent from my iPhone", *[f"{names} wrote it, part {part}" for part in range(most)]]
    for end in ("\n", "\n\n"):
        for lines, cut in ((introduction[:most], []), (introduction, introduction)):
            mail = f"c4\n\n{end.join(lines)}\n> Ben played d5."
            assert split(mail).cut == end.join(cut)


@pytest.mark.parametrize(
    ("below", "is_cut"),
    [
        ("Ben wrote:", False),
        ("-----Original Message-----", False),
        ("________________", False),
        ("\n\n", False),
        ("Хэнээс: Ben\nОгноо: x\nХэнд: Ann", False),
        ("PS: rather d5\nor e6", True),
    ],
)
def test_introduction_below_a_signature_is_the_programs(below: str, is_cut: bool) -> None:
    signature = "Sent from my iPhone\nAnn Lee"
    text = f"{signature}\n{below}" if is_cut else ""
    assert split(f"c4\n\n{signature}\n{below}\n> Ben played d5.").cut == text


@pytest.mark.parametrize(
    ("mail", "cut"), [("c4\n\nSent from my iPhone{}d5", "d5"), ("c4{}d5", "d5"), ("c4\n> x{}d5", "")]
)
def test_text_beyond_500_lines_is_cut_unless_it_is_below_a_quote(mail: str, cut: str) -> None:
    assert split(mail.format("\n" * 500)).cut == cut


def test_text_below_an_answered_quote_is_separate() -> None:
    written = split(f"c4\n{MARKED}\n\nor rather d5\n> and the foot of it\n-- \nAnn")
    assert (written.text, written.below, written.follows) == ("c4", "or rather d5", False)
    assert written.rest.endswith("--\nAnn")


@pytest.mark.parametrize(
    ("mail", "ended_by"),
    [
        ("c4\nThanks", ""),
        (f"c4\n{MARKED}", quoting.QUOTED),
        (f"c4\n{OURS}", quoting.OURS),
        ("c4\n-----Original Message-----\nx", quoting.SEPARATOR),
        ("c4\nFrom: a@b.org\nSent: 2 March 2026\nTo: Ann\nSubject: x\n\ny", quoting.HEADERS),
        ("c4\nOn Mon, 2 March 2026 at 15:04 Ben <ben@example.org> wrote:\nx", quoting.ATTRIBUTION),
        (f"c4\n\nSent from my iPhone\n\n{MARKED}", quoting.SIGNATURE),
        ("c4\n\nOn 2 March Ben wrote:\n\nhello", quoting.OPINION),
    ],
)
def test_evidence_for_the_end_of_the_text_is_named(mail: str, ended_by: str) -> None:
    written = split(mail)
    assert (written.text.split("\n")[0], written.ended_by) == ("c4", ended_by)
    assert ended_by == "" or ended_by in quoting.ENDS


@pytest.mark.parametrize("torn", ["I\n\n[.]\n6", "A", "a\n8", "G\n<mailto:play@games.example?body=a8>"])
def test_single_letters_within_a_quote_are_parts_of_a_board(torn: str) -> None:
    """Some programs put each square on a line; a letter that names a colour could be played."""
    quoted = "> 6\n> F\n> I\n> H"
    text = split(f"Nabu wrote:\n\n> {SENTINEL}\n{quoted}\n{torn}\n\n{quoted}\n").text
    assert not any(len(line) == 1 for line in text.split("\n"))
    assert split(f"Nabu wrote:\n\n> {SENTINEL}\n{quoted}\n{torn}\n\n{quoted}\n\ntake a\n").text.endswith(
        "take a"
    )


@pytest.mark.parametrize(
    "torn",
    [
        *("b  2", "  b  2", "b   2", "2  w", "b  .  2", "b  b  .  2", "[.]", "(o)  2", "*b*\n2"),
        *("b |2", "[b]|2", "|2", "2| w", "2|[w]", "b  . |2", "b  b  . |2", "*b*\n|2", "w  b\n|2"),
    ],
)
@pytest.mark.parametrize("below", ["\n\nhistory", "\n> 1  b  .  1\n\nhistory"])
def test_end_of_a_row_within_a_quote_is_part_of_a_board(torn: str, below: str) -> None:
    """A colour and the number of the row look like a square."""
    mail = f"> {SENTINEL}\n> 3  b  w  3\n> 2  w  b\n{torn}{below}\n> 1  b  .  1\n"
    assert split(mail).text == "history"
    assert split(mail.replace(torn, "b2")).text in ("b2\n\nhistory", "history"), "as a person writes it"


@pytest.mark.parametrize("torn", ["e", "e\nn", "w  2"])
def test_single_letters_directly_below_a_quoted_line_are_quoted(torn: str) -> None:
    """An order whose line was broken: without it the other orders would be played alone."""
    orders = f"2 nw\n3\n{torn}\n5 sw"
    assert split(f"> {SENTINEL}\n> x\n\n{orders}\n").text == orders
    assert split(f"> {SENTINEL}\n> x\n\n2 nw\n> y\n{torn}\n5 sw\n").text == "2 nw\n5 sw", "below a quoted line"


@pytest.mark.parametrize(
    ("row", "torn"), [("2 w b b 2", "b 2"), ("e4, f5", "f5"), ("j13-k14", "14"), ("2 w b b 2", "w b b 2")]
)
def test_end_of_a_broken_line_of_nabu_is_not_the_players(row: str, torn: str) -> None:
    mail = f"> {SENTINEL}\n> {row.removesuffix(torn).strip()}\n{torn}\n\nhistory\n"
    assert split(mail, [f"{OURS}\n{row}\n"]).text == "history"
    assert split(mail, [OURS]).text == f"{torn}\n\nhistory"


def test_broken_line_of_nabu_below_another_without_a_mark_is_not_the_players() -> None:
    line = "It is your turn until Friday, 6 March, 18:00"
    mail = f"> {SENTINEL}\n> Ben played d5.\n{line}\nThey stay\nsealed.\n\nhistory\n"
    assert split(mail, [f"{OURS}\nThey stay sealed.\n"]).text == "history"


def test_answer_between_quoted_lines_is_not_taken_for_nabus() -> None:
    mail = (
        f"> {SENTINEL}\n> Ben played d5. It is your\nturn until\n> Friday, 6 March, 18:00\nb2 xc3\n> e.g.: c4\n"
    )
    assert split(mail, [OURS]).text == "b2 xc3"
    assert split(mail, [f"{OURS}\n7ab2 xc30f\n"]).text == "b2 xc3", "within other words, as in a hash"
    for each in (mail, mail.replace("\n> e.g.: c4", "\n>"), "> x\n>\nb2 xc3\n>\n> x\n"):
        assert split(each).text == "", "it may be of a line that was broken"


def test_unmarked_example_within_the_quote_is_not_the_players() -> None:
    """A program that unmarks lines of a quote, and moves one."""
    sent = OURS.replace("e.g.: c4", "for example:\n\n    c4\n    d4")
    mail = f"> {SENTINEL}\n>\nReply with your move above this line, for example:\nd4\n> c4\n\nb2\n"
    assert split(mail).text == "Reply with your move above this line, for example:\nd4\n\nb2"
    assert split(mail, [sent]).text == "b2"
    assert split(mail, [sent]).aside == "d4", "but a player may have typed it"
    assert split(f"> {SENTINEL}\n> x\n\nd4\n", [sent]).text == "d4", "indistinguishable from an answer"


EXAMPLES = OURS.replace("e.g.: c4", "for example:\n\n    c4\n    d4")


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("below", ["", "\nsay hello", "\n\nsay hello"])
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut"])
def test_example_that_a_player_typed_is_theirs(between: str, below: str, cut: bool) -> None:
    """It must not be lost silently: directly below the line that asks for a move, it looks as in the email."""
    lines = EXAMPLES.strip().split("\n")
    place = lines.index("    c4")
    head, rest = ("\n".join(f"> {line}" for line in part) for part in (lines[:place], lines[place:]))
    mail = f"{head}{between}c4{below}" + ("" if cut else f"\n{rest}")
    written = split(mail, [EXAMPLES])
    assert (written.text, written.aside) == (f"c4{below}", "")


@pytest.mark.parametrize(
    ("quote", "aside"),
    [
        ("> for example:\n>\nc4\n> d4", "c4"),
        ("> for example:\n>\nc4\nd4\n> They stay sealed", "c4\nd4"),
        ("> for\n> example:\n>\nc4\n> d4", "c4"),
    ],
    ids=["one", "two", "broken above"],
)
def test_example_at_its_place_in_the_quote_is_set_aside(quote: str, aside: str) -> None:
    """It has lost its mark, or the player has typed over it."""
    sent = f"{OURS}\nTwo moves,\nfor example:\n\n    c4\n    d4\n\nThey stay sealed\n"
    written = split(f"{MARKED}\n> Two moves,\n{quote}\n\nsay hello", [sent])
    assert (written.text, written.aside) == ("say hello", aside)


def test_example_above_the_rest_of_the_quote_is_the_players() -> None:
    """Unless it is the first line: a quote can begin there."""
    below = "> d4\n\nsay hello"
    assert split(f"say hi\nc4\n{below}", [EXAMPLES]).text == "say hi\nc4"
    assert split(f"c4\n{below}", [EXAMPLES]).text == "say hello"


def test_unmarked_text_below_nabus_email_is_set_aside() -> None:
    ours = f"{EXAMPLES}\nThey stay sealed until all orders are in.\n"
    written = split(f"{ours}\n\nd5\n", [ours])
    assert (written.text, written.aside) == ("", "d5")
    assert split(f"a1\n\n{ours}\n\nd5\n", [ours]).text == "a1"


@pytest.mark.parametrize(
    ("end", "below", "aside"),
    [
        ("They stay sealed until all are in.", "They stay sealed\nuntil all are in.", ""),
        ("They stay sealed until all are in.", "They stay sealed\nuntil all are in.\n\nd5", "d5"),
        ("Play one of these two moves:\n\n    c4\n    d4", "Play one of these two moves:\n\nc4", "c4"),
        ("Play one of these two moves:\n\n    c4\n    d4", "Play one of these two moves:\nc4\nd4", "c4\nd4"),
    ],
    ids=["broken", "broken and more", "example", "examples"],
)
def test_end_of_an_unmarked_quote_is_set_aside_if_it_may_be_the_players(
    end: str, below: str, aside: str
) -> None:
    written = split(f"a1\n\n{OURS}\n{below}\n", [f"{OURS}\n{end}\n"])
    assert (written.text, written.aside) == ("a1", aside)


def test_end_of_a_broken_line_is_certainly_nabus() -> None:
    ours = f"{SENTINEL}\n\nTake two, for example:\n\n    e9 i1\n"
    written = split("> Take two, for example:\n>\n>     e9\ni1\n\na1\n", [ours])
    assert (written.text, written.aside) == ("a1", "")
    written = split("> Take two, for example:\n>\n\ne9\ni1\n", [ours])
    assert written.text == "e9\ni1", "the same typed over two lines"


@pytest.mark.parametrize(
    ("mail", "clearly"),
    [
        (f"c4\n{MARKED}", True),
        (f"c4\n{OURS}", True),
        (f"c4\n\n>\n>{MARKED}", True),
        (f"c4\n\n\nNabu <play@games.example> wrote:\n\n{MARKED}", True),
        (f"c4\n\n-----Original Message-----\nFrom: x\nSent: x\nTo: x\nSubject: x\n\n{OURS}", True),
        (f"c4\n\nSent from my iPhone\n\nNabu wrote:\n\n{MARKED}", True),
        (f"c4\n-- \nAnn\n{MARKED}", False),
        (f"c4\nThey stay sealed until all orders are in.\n\nNabu wrote:\n{MARKED}", False),
        (f"c4\n> d5\n{MARKED}", False),
        ("\n".join(["c4", "-- ", *["a long signature"] * 20, MARKED]), False),
        ("c4\n\nNabu wrote:\n> c4", False),
        ("c4", False),
        ("", False),
    ],
)
def test_split_reports_if_the_sentinel_follows_the_text(mail: str, clearly: bool) -> None:
    assert split(mail).ends_clearly is clearly


@pytest.mark.parametrize("above", ["", "\n \n"], ids=["", "empty lines"])
@pytest.mark.parametrize("mark", ["", "> ", "| ", "-- > "])
def test_line_of_nabu_at_the_top_is_quoted_if_the_next_ones_follow(mark: str, above: str) -> None:
    sent = f"{OURS}\n    move a1 b2 c3 d4 e5 f6 g7\n    c4\n\nWhoever wants more finds it there.\n"
    first, second, _, third = sent.rsplit("\n", 5)[1:5]
    mail = f"{above}{first}\n{mark}{second}\n{mark}{third}\n\nNabu wrote:\n\n{MARKED}"
    assert not split(mail, [sent]).text
    assert split(f"{above}{second}\n{mark}{third}\n\nNabu wrote:\n\n{MARKED}", [sent]).text == ""
    for example in (first.strip(), second.strip()):
        assert split(f"{example}\n\nNabu wrote:\n{OURS.split(SENTINEL)[1]}", [sent]).text == example, "copied"


@pytest.mark.parametrize(("length", "is_scanner"), [(400, True), (401, False)])
def test_virus_scanner_line_is_recognized_up_to_400_characters(length: int, is_scanner: bool) -> None:
    line = " www.avg.com".rjust(length, "x")
    assert (split(f"c4\n{line}").text == "c4") == is_scanner


@pytest.mark.parametrize(
    "move",
    [
        "hand/5 hand/5 5/10 hand/5",
        "hand/5 5/10 hand/5 hand/5",
        "hand/5 5/10 10/15 15/20",
        "hand/5 hand/5 hand/5 hand/5",
    ],
)
def test_move_copied_from_a_list_of_moves_is_the_players(move: str) -> None:
    """With equal dice a move of Nardshir is as long as a sentence of Nabu."""
    sent = (
        f"{SENTINEL}\n\nYou can play:\n\n  hand/5 hand/5 5/10 hand/5 | hand/5 hand/5 5/10 5/10 |\n"
        "  hand/5 5/10 hand/5 hand/5\n  | hand/5 5/10 10/15 15/20\n\nor, of your last moves:\n\n"
        "  hand/5 hand/5 hand/5 hand/5\n  | 5/10 hand/5\n\nTurn 1: your move.\n"
    )
    quoted = "".join(f"> {line}\n" for line in sent.splitlines())
    for text in (move, f"{move}\n\nNabu wrote:\n{quoted}"):
        assert split(text, [sent]).text == move
