"""A player may write again a line that an earlier email from Nabu has quoted."""

from __future__ import annotations

from tests.support.server.games import TwoPlayerGame, mover, reply, to_seat

_LINE = "Sorry for being so slow lately"
_QUOTE = "\n\nNabu wrote:\n> ##- write your move above this line -##\n>\n> Your move.\n"


def test_line_that_a_refusal_quoted_is_sent(table: TwoPlayerGame) -> None:
    seat = mover(table)[0]
    (refusal,) = reply(table, seat, _LINE)
    assert f"“{_LINE}”" in refusal.words
    caused = reply(table, seat, f"c3\nsay\n{_LINE}\nMy cat was ill.{_QUOTE}")
    assert table.game().turn == 2
    assert f"{_LINE} | My cat was ill." in to_seat(caused, table, 1 - seat)[0].words
