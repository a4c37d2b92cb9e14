"""HTML as plain text, with the quotes marked."""

from __future__ import annotations

import pytest

from mail.reading.markup import plain_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p>c4</p><p>d5</p>", "c4\nd5"),
        ("<div>c4<div>d5</div><br>e6</div>", "c4\nd5\n\ne6"),
        ("c4<br>d5", "c4\nd5"),
        ("<ul><li>c4<li>d5</ul>", "* c4\n* d5"),
        ("<b>1</b> <i>ne</i>, 2&nbsp;n", "1 ne, 2 n"),
        ("<p>c<b>4</b> or <i>d</i>5", "c4 or d5"),
        ("<table><tr><td>c4</td><td>d5</td><tr><th>e6<th> f7", "c4 d5\ne6 f7"),
        ("</b></p></td>c4</div></html>d5", "c4d5"),
        ("<style>p{}</style><script>x</script><title>t</title>c4", "c4"),
        ('<?xml version="1.0" encoding="utf-16"?><p>é</p>', "é"),
        ("a<blockquote>b<br>c</blockquote>d", "a\n\n> b\n> c\n\nd"),
        ('a<blockquote type="cite">b<blockquote>c</blockquote></blockquote>', "a\n\n> b\n> c"),
        ('<blockquote style="margin:0 0 0 40px;border:none">c4</blockquote>', "c4"),
        ('<blockquote style="border:none;border-left:solid #CCC">b</blockquote>', "> b"),
        ('c4<div class="x_gmail_attr">On Monday</div>', "c4\n\n> On Monday"),
        ('c4<div class="front-signature">Ann Lee</div>', "c4\n\n> Ann Lee"),
        ('c4<div id="composer_signature">Ann Lee</div>', "c4\n\n> Ann Lee"),
        ("c4<hr>x", "c4\n________________________________\nx"),
        ('c4<div id="divRplyFwdMsg">x</div>', "c4\n-----Original Message-----\nx"),
        ("<pre>c4\nd5 <b>e6\nf7</b>\ng8</pre>", "c4\nd5 e6\nf7\ng8"),
        ("<!-- nothing -->", ""),
        ('<div style="color:red; display : none">x<b>y</b></div>c4', "c4"),
        ("c4 < d5", "c4 < d5"),
    ],
)
def test_html_becomes_text(html: str, text: str) -> None:
    assert plain_text(html).strip() == text


@pytest.mark.parametrize("html", ["<p>x", "x<br>", "<li>x", "<blockquote>x</blockquote>", "<pre>\nx</pre>"])
def test_only_the_first_of_many_elements_are_read(html: str) -> None:
    """Each element takes time, and no person answers below so many."""
    assert plain_text(html * 3000).count("x") == 3000
    assert 3000 < plain_text(html * 60_000).count("x") < 9000


def test_only_the_first_of_many_preformatted_lines_are_read() -> None:
    assert plain_text("<pre>" + "x\n" * 7000).count("x") == 7000
    assert plain_text("<pre>" + "x\n" * 60_000).count("x") < 12_000


def test_page_of_8000_elements_is_read_to_its_end() -> None:
    page = "<html><body>{}" + "." * 5000 + "<p>after"
    assert plain_text(page.format("<br>" * 7998)).endswith("after")
    assert "after" not in plain_text(page.format("<br>" * 7999))
