"""Render letters: each has one template, rendered with two skins as plain text and as HTML."""

import re
import textwrap
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mail.addresses import mailto, mailtos
from mail.reading.quoting import SENTINEL, previewed
from rules.drawing import ascii_board, html_board, link_sign
from rules.drawing.diagram import Diagram
from rules.sentences import listed
from server.accounts.computer_characters import COMPUTER
from server.game.terms.game_types import every_game_type
from server.game.views.analysis import PointView
from server.markdown import as_html, as_text
from server.outbound.letters.context import Enclosed
from server.outbound.letters.subjects import first_sentence, preview
from server.settings import ROOT

TEMPLATES = ROOT / "templates" / "mail"
WIDTH = 72
_NAMES = 14
"""Width of the first column of a table, in characters."""
_EXAMPLES = 28
"""Maximum width of the column of example commands, in characters."""
_BAR = 40
"""Width of a bar, in characters."""
_KEPT = re.compile(
    r"“[^“”]{1,40}”|(?:(?<=[Ww]rite: )|(?<=[Rr]eply: )|(?<=: )(?=#?[0-9]))"
    r"[a-z0-9#][^.:;,“”()]{1,40}(?=[.;,]? [A-Z]|\.?$)"
)
"""Commands and moves in sentences: “resign 87”, or at the end of one, as in “write: resign 87”."""
_SPACE = "\0"
_PRE = Markup('<pre style="font-size:12px;line-height:1.3;overflow-x:auto">')


class Renderer:
    """Renders letters from templates, as plain text and as HTML.

    The folders `text` and `html` contain the macros of each form.
    """

    def __init__(self, templates: Path = TEMPLATES) -> None:
        self._text = _environment(templates, "text", autoescape=False)
        self._text.filters["wrap"] = _wrap
        self._text.filters["board"] = ascii_board
        self._text.filters["columns"] = _columns
        self._text.filters["commands"] = _commands
        self._text.filters["row"] = _row
        self._text.filters["plain"] = lambda page: as_text(page, WIDTH)
        self._text.filters["bar"] = _bar
        self._html = _environment(templates, "html", autoescape=True)
        self._html.filters["board"] = _html_board
        self._html.filters["move_sign"] = link_sign
        self._html.filters["hidden"] = previewed
        self._html.globals["mailto"] = mailto
        self._html.filters["markdown"] = _markdown
        self._html.filters["first_sentence"] = first_sentence
        self._text.filters["written"] = lambda part, frame: self._part(self._text, part, frame)
        self._html.filters["written"] = lambda part, frame: Markup(self._part(self._html, part, frame))  # noqa: S704 - escaped where it is rendered

    def render(self, template: str, context: dict[str, Any], preview: str = "") -> tuple[str, str]:
        """Return a letter as plain text and as HTML. `preview` is its first words unless it is given."""
        text = self.text(template, context)
        frame = {**context["frame"], "preview": preview or _first_words(text)}
        html = self._html.get_template(f"{template}.j2")
        return text, html.render({**context, "frame": frame})

    def text(self, template: str, context: dict[str, Any]) -> str:
        """Return the letter as plain text."""
        return _tidy(self._text.get_template(f"{template}.j2").render(context))

    def _part(self, environment: Environment, part: Enclosed, frame: dict[str, Any]) -> str:
        """Return a part of a letter, rendered with its own frame."""
        template = environment.get_template(f"{part.letter}.j2")
        return template.render({**part.draft.context, "frame": frame})


class _Environment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of all templates: none has its own, and a `ChainMap` of both is slow."""
        return self.globals


@cache
def _environment(templates: Path, skin: str, *, autoescape: bool) -> Environment:
    # Shared by all writers: reading the templates takes far longer than writing a letter.
    environment = _Environment(
        loader=FileSystemLoader([templates / skin, templates]),
        autoescape=autoescape,  # the text skin must not be escaped as HTML
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(sentinel=SENTINEL, computer=COMPUTER, every_game_type=every_game_type)
    environment.filters["listed"] = listed
    return environment


def _first_words(text: str) -> str:
    """Return the first paragraph below the reply line, with the second one if the first ends in a colon."""
    first, *others = text.removeprefix(SENTINEL).strip().split("\n\n")
    said = [*first.splitlines(), *(others[0].splitlines() if first.endswith(":") and others else ())]
    return preview(*(line.strip(" |=") for line in said))


def _wrap(text: str, indent: str = "", below: str | None = None) -> str:
    """Wrap text to the width of an email, with `indent` before each line, or `below` after the first."""
    lines: list[str] = []
    for line in str(text).splitlines():
        lines += _wrapped(line, WIDTH - len(indent))
    later = indent if below is None else below
    return "\n".join(f"{later if n else indent}{line}".rstrip() for n, line in enumerate(lines))


def _wrapped(line: str, width: int) -> list[str]:
    """Return the lines of a wrapped line, without a line break inside a command or a short quotation.

    Most lines are short, and `textwrap` takes many times as long.
    """
    if len(line) <= width and "\t" not in line:
        return [line]
    kept = _KEPT.sub(lambda found: found[0].replace(" ", _SPACE), line)
    wrapped = textwrap.wrap(kept, width, break_long_words=False, break_on_hyphens=False)
    return [each.replace(_SPACE, " ") for each in wrapped] or [""]


def _columns(rows: Iterable[tuple[str, str]], names: int = _NAMES, gap: int = 1) -> str:
    """Return names and values in two columns; a name too long for its column is on a separate line."""
    lines, indent = [], " " * (2 + names + gap)
    for name, value in rows:
        first = f"  {name:<{names + gap}}"
        if len(name) > names:
            lines.append(f"  {name}")
            first = indent
        filled = textwrap.wrap(str(value), WIDTH - len(indent)) or [""]
        lines += [first + filled[0], *(indent + line for line in filled[1:])]
    return "\n".join(lines)


def _commands(rows: Sequence[tuple[str, str]]) -> str:
    """Return example commands and descriptions in two columns, the first as wide as the longest example."""
    return _columns(rows, min(max((len(example) for example, _ in rows), default=0), _EXAMPLES), gap=2)


def _row(items: Sequence[str]) -> str:
    """Return moves in wrapped lines, without a line break inside a move."""
    unbroken = " | ".join(item.replace(" ", "\0") for item in items)
    return _wrap(unbroken, "  ").replace("\0", " ")


def _bar(point: PointView, keys: str) -> str:
    """Return the chances of each seat after a turn, in percent and as a bar of letters."""
    edges = [round(_BAR * sum(point.percents[: n + 1]) / 100) for n in range(len(keys))]
    lengths = [edge - before for edge, before in zip(edges, [0, *edges], strict=False)]
    percents = "".join(f"{percent:>5}" for percent in point.percents)
    bar = "".join(key * length for key, length in zip(keys, lengths, strict=True))
    return f"  {point.number or 'start':>5}{percents}  {bar}"


def _html_board(diagram: Diagram, moves: Mapping[str, str], reply_to: str, subject: str) -> Markup:
    replies = mailtos(reply_to, subject, moves.values())
    links = {place: replies[move] for place, move in moves.items()}
    return Markup(html_board(diagram, links))  # noqa: S704 - the renderer escapes every text


def _markdown(text: str) -> Markup:
    return as_html(text).replace(Markup("<pre>"), _PRE)


def _tidy(text: str) -> str:
    """At most one empty line in a row, none at the start, one line break at the end."""
    kept: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).rstrip() + "\n"
