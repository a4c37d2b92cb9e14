"""The checks of options and positions: accepted values, and the sentences about refused ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.errors import BadData
from rules.reading import items, need, need_exactly, need_no_more, texts, typed_whole, typed_word, whole

GIVEN = {"b": 1, "a": 2}


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: need(GIVEN, ("a", "c", "d"), "It needs {}."), "It needs c."),
        (lambda: need_exactly(GIVEN, ("a", "c"), "Wrong here: {}."), "Wrong here: c, b."),
        (lambda: need_no_more(GIVEN, (), "There is no {}."), "There is no a."),
        (lambda: need_no_more(GIVEN, (), "There is no {all}."), "There is no a, b."),
        (lambda: whole("3", "Not {!r}."), "Not '3'."),
        (lambda: whole(True, "Not {}."), "Not True."),
        (lambda: whole(-1, "Not {}."), "Not -1."),
        (lambda: whole(7, "Not {}.", most=6), "Not 7."),
        (lambda: whole(0, "Not {}.", least=1), "Not 0."),
        (lambda: items("ab", "No list: {}."), "No list: ab."),
        (lambda: items([1], "Not two: {}.", count=2), "Not two: [1]."),
        (lambda: texts([["a"]], [1], "No texts."), "No texts."),
        (lambda: texts(["a", "b"], [1], "Too many."), "Too many."),
        (lambda: texts(["ab"], [1], "Too long."), "Too long."),
        (lambda: typed_whole("four", "Not {!r}."), "Not 'four'."),
        (lambda: typed_whole("12345", "Not {}."), "Not 12345."),
        (lambda: typed_whole(True, "Not {}."), "Not True."),
        (lambda: typed_whole(4.0, "Not {}."), "Not 4.0."),
        (lambda: typed_whole("9", "Not {}.", range(9)), "Not 9."),
        (lambda: typed_word(None, ("wild",), "Not {}."), "Not none."),
    ],
)
def test_invalid_values_are_refused_with_the_sentence_of_the_rules(
    check: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(BadData) as caught:
        check()
    assert str(caught.value) == sentence


def test_valid_values_are_returned() -> None:
    need(GIVEN, ("a",), "")
    need_exactly(GIVEN, ("a", "b"), "")
    need_no_more(GIVEN, ("a", "b", "c"), "")
    assert (whole(6, "", least=6, most=6), items([1], "", count=1)) == (6, [1])
    assert texts(["ab", ""], [2, 0], "") == ["ab", ""]
    assert (typed_whole(" 8 ", "", range(9)), typed_word(" Wild ", ("wild",), "")) == (8, "wild")
