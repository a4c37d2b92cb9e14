"""A page is left out only if every element on it looks like one on the pages that are checked."""

from __future__ import annotations

import pytest

from tests.pictures.places import telling

_PAGE = '<main><h1>Games</h1><p class="soft">One</p><a id="x" href="#x">Two</a><table><tr><td>3</table></main>'


def test_one_of_several_similar_pages_is_checked() -> None:
    other = _PAGE.replace("One", "Four").replace("Two", "Five")
    assert list(telling({"one": _PAGE, "other": other})) == ["one"]


def test_page_contained_in_a_larger_one_is_skipped() -> None:
    larger = _PAGE.replace("</main>", "<form></form></main>")
    assert list(telling({"one": _PAGE, "larger": larger})) == ["larger"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("soft", "strong"),
        ("h1", "h3"),
        ("<p ", "<p style='color:red' "),
        ("One", "One" * 20),
        ("<td>3", "<td>3<td>4"),
        ("#x", "#y"),
        ("<p ", "<p id='x' "),
        ("<p", "<section><p"),
    ],
)
def test_page_that_looks_different_is_checked(old: str, new: str) -> None:
    assert "other" in telling({"one": _PAGE, "other": _PAGE.replace(old, new, 1)})
