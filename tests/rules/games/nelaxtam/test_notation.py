"""The notation of orders of Nelaxtam, and the refusals of wrong ones."""

from __future__ import annotations

import pytest

from rules.errors import IllegalMove, Unreadable
from rules.games.nelaxtam.position import Position
from tests.support.rules.positions.nelaxtam import NELAXTAM, island_with, options, refusal, turn

START = NELAXTAM.start(options(), {})
INVASION = "1 a9, 2 e1, 3 i1, 4 f6, 5 h8"
FIELD = island_with("1 d4, 2 f4, 4 a1, 5 l12, A d5, B e10, C a12", gone="c3")


# The invasion


@pytest.mark.parametrize(
    "text",
    [
        INVASION,
        "5 h8, 4 f6, 3 i1, 2 e1, 1 a9",
        "1 A9 2 E1 3 I1 4 F6 5 H8",
        "1: a9\n2: e1\n3: i1\n4: f6\n5: h8\n",
        "1. a9\r\n2. e1\r\n3. i1\r\n4. f6\r\n5. h8.",
        "1 lands on a9; 2 land at e1; 3 -> i1; 4 to f6; 5 on h8.",
        "troop 1 a9. troop 2 e1. Troop 3: i1, 4-f6, 5 – h8...",
        "1a9 2e1 3i1 4f6 5h8",
    ],
)
def test_invasion_is_read_in_many_forms(text: str) -> None:
    assert NELAXTAM.format(NELAXTAM.parse(START, 0, text)) == INVASION


@pytest.mark.parametrize(
    ("seat", "text", "sentence"),
    [
        (0, "1 a9, 2 e1, 3 i1, 4 f6", "Troop 5 has no square; write the squares of all your troops together."),
        (0, "1 a9, 2 e1, 3 i1, 4 a9", "Troops 1 and 4 cannot both land on a9: a tile holds only one troop."),
        (0, "1 a9, 2 e1, 1 i1", "Troop 1 is named twice; a troop gets one order per turn."),
        (0, "1 a9, A a8", "Troop A belongs to X; you command 1 to 5."),
        (1, "A a8, 1 a9", "Troop 1 belongs to O; you command A to E."),
        (0, "6 a9", "There is no troop 6; you command 1 to 5."),
        (0, "01 a9", "There is no troop 01; you command 1 to 5."),
        (1, "F a8", "There is no troop F; you command A to E."),
        (1, "D g7", "Troop D cannot land on g7: the tile there is O's."),
        (0, "1 a8", "Troop 1 cannot land on a8: the tile there is X's."),
        (0, "1 a13", "There is no square a13 on a board of 12 by 12."),
        (0, "1 m1", "There is no square m1 on a board of 12 by 12."),
        (0, "1 a09", "There is no square a09 on a board of 12 by 12."),
        (0, "1 ne", "Troop 1 must land: name a square, as in “1 a1”, not “ne”."),
        (1, "A hold", "Troop A must land: name a square, as in “A b1”, not “hold”."),
        (0, "1 move a9", "Troops only land at the invasion: write “1 a9” to land on a9."),
        (0, "1 destroys a9", "Troops only land at the invasion: write “1 a9” to land on a9."),
        (0, "hold", "“hold” is not an order for the invasion: all your troops must land."),
        (0, "end", "“end” is not an order for the invasion: all your troops must land."),
        (
            0,
            "1 a9, 2 e1, 3 f4, 4 f6, 5 h8",
            "At least 3 of your troops must land on the edge of the board, but 3, 4, 5 would land inland.",
        ),
    ],
)
def test_illegal_invasion_is_refused(seat: int, text: str, sentence: str) -> None:
    assert refusal(START, seat, text) == sentence


def test_refusals_with_one_troop_per_side_name_only_that_troop() -> None:
    start = NELAXTAM.start(options(troops=1, sea=1), {})
    assert refusal(start, 0, "2 a1") == "There is no troop 2; you command only 1."
    assert refusal(start, 0, "B b1") == "There is no troop B; you command only 1."
    assert refusal(start, 0, "1 b2").endswith("but 1 would land inland.")
    assert NELAXTAM.format(NELAXTAM.parse(start, 0, "1 a1")) == "1 a1"


# The later turns


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1 ne, 2 n", "1 ne, 2 n"),
        ("2 n, 1 ne", "1 ne, 2 n"),
        ("1 ne\n2 n\n4 hold", "1 ne, 2 n"),
        ("1 NE; 2 N.", "1 ne, 2 n"),
        ("1 ne 2 n", "1 ne, 2 n"),
        ("1 ne and 2 n", "1 ne, 2 n"),
        ("1 ne, and\n2 n", "1 ne, 2 n"),
        ("1: up-right", "1 ne"),
        ("1 up right", "1 ne"),
        ("1 upright", "1 ne"),
        ("1 northeast", "1 ne"),
        ("1 north-east", "1 ne"),
        ("1 North East, 2 south west", "1 ne, 2 sw"),
        ("1 down-right", "1 se"),
        ("2 down left, 1 up left", "1 nw, 2 sw"),
        ("1 up", "1 n"),
        ("1 right", "1 e"),
        ("1 down, 2 left", "1 s, 2 w"),
        ("1 north, 2 south", "1 n, 2 s"),
        ("1 east, 2 west", "1 e, 2 w"),
        ("1 move ne", "1 ne"),
        ("1 moves to e5", "1 ne"),
        ("1 go nw", "1 nw"),
        ("1 destroy n", "1 n"),
        ("1 x n", "1 n"),
        ("1 x d5", "1 n"),
        ("1 e5", "1 ne"),
        ("1 -> e5", "1 ne"),
        ("1-E5, 2 to F5", "1 ne, 2 n"),
        ("1ne 2n", "1 ne, 2 n"),
        ("1e5,2f5", "1 ne, 2 n"),
        ("troop 1 ne; troop 4 stays", "1 ne"),
        ("- 1 ne\n- 2 n", "1 ne, 2 n"),
        ("1 ne, hold", "1 ne"),
        ("hold, 1 ne", "1 ne"),
        ("hold", "hold"),
        ("Hold.", "hold"),
        ("1 hold, 2 hold", "hold"),
        ("1 hold", "hold"),
        ("end", "end"),
        (" END. ", "end"),
    ],
)
def test_orders_are_read_in_many_forms(text: str, canonical: str) -> None:
    orders = NELAXTAM.parse(FIELD, 0, text)
    assert NELAXTAM.format(orders) == canonical
    assert NELAXTAM.parse(FIELD, 0, canonical) == orders


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A nw, B e", "A nw, B e"),
        ("a nw b e", "A nw, B e"),
        ("B e A nw", "A nw, B e"),
        ("aC6, bf10", "A nw, B e"),
        ("C b11: hold", "C se"),
        ("a e", "A e"),
    ],
)
def test_letters_of_x_are_not_read_as_directions(text: str, canonical: str) -> None:
    assert NELAXTAM.format(NELAXTAM.parse(FIELD, 1, text)) == canonical


@pytest.mark.parametrize(
    ("seat", "text", "sentence"),
    [
        (0, "3 n", "Troop 3 is dead and takes no orders."),
        (0, "3 hold", "Troop 3 is dead and takes no orders."),
        (0, "1 ne, 1 ne", "Troop 1 is named twice; a troop gets one order per turn."),
        (0, "1 hold, 1 ne", "Troop 1 is named twice; a troop gets one order per turn."),
        (0, "A s", "Troop A belongs to X; you command 1 to 5."),
        (1, "1 n", "Troop 1 belongs to O; you command A to E."),
        (0, "7 n", "There is no troop 7; you command 1 to 5."),
        (1, "x n", "There is no troop X; you command A to E."),
        (0, "4 w", "Troop 4 on a1 cannot destroy w: the board ends there."),
        (0, "4 sw", "Troop 4 on a1 cannot move sw: the board ends there."),
        (0, "1 sw", "Troop 1 cannot move sw to c3: the tile there is gone."),
        (0, "1 c3", "Troop 1 cannot move sw to c3: the tile there is gone."),
        (1, "B e12", "Troop B on e10 cannot act on e12: it reaches only the squares beside e10."),
        (0, "1 z99", "Troop 1 on d4 cannot act on z99: it reaches only the squares beside d4."),
        (0, "1 d4", "Troop 1 is already on d4; write “1 hold” to stay."),
        (0, "1 move n", "Troop 1 cannot move n: a troop moves ne, se, sw or nw and destroys n, e, s or w."),
        (
            0,
            "1 move d5",
            "Troop 1 cannot move to d5: a troop moves ne, se, sw or nw and destroys n, e, s or w.",
        ),
        (0, "1 x e5", "Troop 1 cannot destroy e5: a troop moves ne, se, sw or nw and destroys n, e, s or w."),
        (0, "1 land e5", "Troop 1 cannot land e5: a troop moves ne, se, sw or nw and destroys n, e, s or w."),
        (0, "1 ne, 2 nw", "Troops 1 and 2 cannot both move to e5: a tile holds only one troop."),
        (
            0,
            "end, 1 ne",
            "“end” offers to end the game. Write it alone, without orders: your troops hold in that turn.",
        ),
        (
            0,
            "1 ne, end",
            "“end” offers to end the game. Write it alone, without orders: your troops hold in that turn.",
        ),
        (
            0,
            "1 hold, end",
            "“end” offers to end the game. Write it alone, without orders: your troops hold in that turn.",
        ),
    ],
)
def test_illegal_orders_are_refused(seat: int, text: str, sentence: str) -> None:
    assert refusal(FIELD, seat, text) == sentence


def test_missing_tile_cannot_be_destroyed() -> None:
    position = island_with("1 d4, A a12", gone="d5")
    assert refusal(position, 0, "1 n") == "Troop 1 cannot destroy d5: the tile there is already gone."
    assert refusal(position, 0, "1 d5") == "Troop 1 cannot destroy d5: the tile there is already gone."


@pytest.mark.parametrize("orders", ["1 ne", "1 ne, 2 hold", "1 ne, 2 n"])
def test_tile_of_a_friend_that_stays_cannot_be_entered(orders: str) -> None:
    position = island_with("1 d4, 2 e5, A a12")
    assert refusal(position, 0, orders) == "Troop 1 cannot move to e5: troop 2 stays there."


def test_friend_that_stays_may_have_the_lower_number() -> None:
    position = island_with("1 d4, 2 e5, A a12")
    assert refusal(position, 0, "2 sw") == "Troop 2 cannot move to d4: troop 1 stays there."


def test_one_troop_acts_in_a_quiet_turn() -> None:
    position = island_with("1 d4, 2 e5, A a12", mode="quiet")
    sentence = "In the quiet game one troop per side acts in a turn, but 1 and 2 have orders."
    assert refusal(position, 0, "1 n, 2 ne") == sentence
    assert NELAXTAM.format(NELAXTAM.parse(position, 0, "1 hold, 2 ne")) == "2 ne"
    assert refusal(position, 0, "1 ne") == "Troop 1 cannot move to e5: troop 2 stays there."


def test_orders_after_the_end_are_refused() -> None:
    over = turn(island_with("1 a1, A a12"), "end", "end")
    assert refusal(over, 0, "1 n") == "The game is over."
    assert refusal(over, 0, "B ne, 9 n") == "The game is over."
    with pytest.raises(Unreadable):
        NELAXTAM.parse(over, 0, "Thanks for the game!")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "...",
        "thanks!",
        "thanks",
        "1",
        "1 ne good luck",
        "good move, 1 ne",
        "1 ne 2",
        "hold on",
        "hold the line",
        "the end",
        "end it",
        "on to",
        "a",
        "an apple a day",
        "be",
        "as e",
        "1 move hold",
        "1 n e",
        "1 xn",
        "ne",
        "e5",
        "move 1 ne",
        "1 move",
        "1 ne!",
        "> 1 ne",
        "1st ne",
        "1 1 ne",
        "1234 ne",
        "1 e5555",
        "１ ne",
        "1 ٣",
        "I resign",
    ],
)
@pytest.mark.parametrize("position", [START, FIELD], ids=["invasion", "later"])
@pytest.mark.parametrize("seat", [0, 1])
def test_prose_is_not_read_as_orders(position: Position, seat: int, text: str) -> None:
    with pytest.raises(Unreadable):
        NELAXTAM.parse(position, seat, text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1 ne good luck", "“good luck” is not an order"),
        ("w" * 1000, f"“{'w' * 59}…” is not an order"),
        (" . ", "There is no order here"),
    ],
)
@pytest.mark.parametrize(
    ("position", "seat", "how"),
    [
        (START, 0, "write each of your troops and the square where it lands, as in “1 a1, 2 c1”."),
        (START, 1, "write each of your troops and the square where it lands, as in “A b1, B d1”."),
        (FIELD, 0, "write a troop and a direction or a square, as in “1 ne, 2 n”, or only “hold”."),
        (FIELD, 1, "write a troop and a direction or a square, as in “A ne, B n”, or only “hold”."),
    ],
)
def test_unreadable_text_is_quoted(position: Position, seat: int, how: str, text: str, what: str) -> None:
    with pytest.raises(Unreadable) as caught:
        NELAXTAM.parse(position, seat, text)
    assert str(caught.value) == f"{what}: {how}"


def test_sentence_that_looks_like_an_order_is_not_played() -> None:
    with pytest.raises(IllegalMove, match="There is no troop I"):
        NELAXTAM.parse(FIELD, 0, "I hold")
