"""Boards as PNG, preview cards for chats, and films of whole games, with a cache of the results."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from tempfile import NamedTemporaryFile
from textwrap import wrap

import resvg_py
from PIL import Image, ImageDraw, ImageFont
from werkzeug.wrappers import Response

from rules.chance import Chance
from rules.drawing import svg_board
from rules.drawing.diagram import Diagram, Row
from rules.playout import random_step
from rules.registry import rules_named
from server.web.errors import slot_or_busy

_GROUND = "#f7f3ea"
_INK, _SOFT = "#2a2118", "#5f5346"
_SHARP = 2.0
"""Pixels of a PNG for each unit of the SVG board."""
_CARD = (1200, 630)
"""Pixels of a preview card, as chats and social networks expect."""
_ROOM = (640, 590)
"""Pixels of a card for the board."""
_ACROSS = 16
"""Characters in a line of a card's title."""
_FILM = 480
"""The largest width and height of a film in pixels."""
_TURN, _LAST = 800, 4000
"""Milliseconds for which a film shows a turn, and the last turn."""
_MOST_KEPT = 24_000_000
"""Bytes."""
_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


class _Shelf:
    """A cache of pictures by their sources, which drops the least recently used ones first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def get_or_make(self, sources: Sequence[str], make: Callable[[], bytes]) -> bytes:
        """Return the picture for these sources, from the cache or newly made."""
        key = sha256("\0".join(sources).encode()).hexdigest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while sum(map(len, self._kept.values())) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made


_shelf = _Shelf()
filming = threading.BoundedSemaphore(1)
"""Allows one film to be made at a time."""
painting = threading.BoundedSemaphore(1)
"""Allows one picture to be made at a time."""
_PATIENCE = 1.0
"""Seconds for which a picture waits for another one, so that few threads wait."""


def png(board: str) -> bytes:
    """Return an SVG board as PNG. Raises Busy if too many pictures are requested at the same time."""
    return _shelf.get_or_make(["png", board], lambda: _in_turn(lambda: _painted(board, _SHARP)))


def icon(mark: str, size: int) -> bytes:
    """Return an SVG as PNG of `size` pixels in width and height."""
    return _shelf.get_or_make(["icon", mark, str(size)], lambda: _painted(mark, size / _size(mark)[0]))


def card(board: str, title: str, line: str) -> bytes:
    """Return a preview card: the board beside a title and a line of text. Raises Busy like `png`."""
    return _shelf.get_or_make(
        ["card", board, title, line], lambda: _in_turn(lambda: _carded(board, title, line))
    )


def film(source: str, draw: Callable[[], Sequence[str]]) -> bytes:
    """Return SVG boards as an animated WebP. Raises Busy while another film is being made.

    `draw` is called for the boards of a new `source`, which must never have others.
    """
    return _shelf.get_or_make(["film", source], lambda: _filmed(draw))


def _in_turn(make: Callable[[], bytes]) -> bytes:
    sentence = "Too many pictures are being made at the moment; try again in a few seconds."
    with slot_or_busy(painting, sentence, _PATIENCE):
        return make()


def _carded(board: str, title: str, line: str) -> bytes:
    canvas = Image.new("RGB", _CARD, _GROUND)
    picture = _image(board, min(room / size for room, size in zip(_ROOM, _size(board), strict=True)))
    left, top = _CARD[0] - _ROOM[0] - 20, (_CARD[1] - picture.height) // 2
    canvas.paste(picture, (left + (_ROOM[0] - picture.width) // 2, top))
    words = ImageDraw.Draw(canvas)
    written = "\n".join(wrap(title, _ACROSS))
    words.text((60, 300), written, _INK, ImageFont.load_default(64), anchor="ld", spacing=18)
    words.text((60, 330), line, _SOFT, ImageFont.load_default(36), anchor="la")
    return _written(canvas, "PNG")


def _filmed(draw: Callable[[], Sequence[str]]) -> bytes:
    with slot_or_busy(filming, "Another film is being made at the moment; try again in a few seconds."):
        boards = draw()
        sizes = [_size(board) for board in boards]
        width, height = (max(each) for each in zip(*sizes, strict=True))
        scale = _FILM / max(width, height)
        first, *others = (_frame(board, scale, round(width * scale), round(height * scale)) for board in boards)
        times = [_TURN] * len(others) + [_LAST]
        return _written(first, "WEBP", save_all=True, append_images=others, duration=times, loop=0, quality=80)


def _frame(board: str, scale: float, width: int, height: int) -> Image.Image:
    """Return a frame with the board in its centre, as boards of some games change their size."""
    frame, picture = Image.new("RGB", (width, height), _GROUND), _image(board, scale)
    frame.paste(picture, ((width - picture.width) // 2, (height - picture.height) // 2))
    return frame


def _image(board: str, scale: float) -> Image.Image:
    return Image.open(BytesIO(_painted(board, scale))).convert("RGB")


def _painted(board: str, scale: float) -> bytes:
    """Return the board as PNG, with `scale` pixels for each unit of the SVG.

    Uses the font that comes with Pillow, so that the server needs no fonts.
    """
    font = ImageFont.load_default(10)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - with a size it is one
    width, height = _size(board)
    with NamedTemporaryFile(suffix=".ttf") as file:
        file.write(font.font_bytes)
        file.flush()
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=board,
                background=_GROUND,
                width=round(width * scale),
                height=round(height * scale),
                skip_system_fonts=True,
                font_files=[file.name],
                sans_serif_family=font.getname()[0],
            )
        )


def _size(board: str) -> tuple[int, int]:
    """Return the width and height of an SVG board in its units."""
    box = _BOX.search(board)
    return (int(box[1]), int(box[2])) if box else (1, 1)


def _written(image: Image.Image, format: str, **how: object) -> bytes:
    written = BytesIO()
    image.save(written, format, **how)
    return written.getvalue()


_ONE_DAY = 24 * 3600
_TURNS = 14
_ALWAYS_THE_SAME = bytes(32)


@cache
def picture(name: str) -> str:
    """Return a sample board of a game as SVG without labels: always the same random game after some turns."""
    rules = rules_named(name)
    chance = Chance(_ALWAYS_THE_SAME, "picture")
    options = rules.options({})
    position = rules.start(options, rules.setup(options, chance))
    for _ in range(_TURNS):
        if rules.result(position):
            break
        position = random_step(rules, position, chance.below).after
    return small(rules.diagram(position))


def small(diagram: Diagram) -> str:
    """Return a diagram as SVG without labels, and without rows that contain only labels."""
    kept = (row for row in diagram.rows if any(cell.ground or cell.name or not cell.text for cell in row.cells))
    rows = tuple(_unnamed(row, has_surface=diagram.surface is not None) for row in kept)
    return svg_board(replace(diagram, rows=rows, files=()))


def cached_response(picture: str | bytes, content_type: str = "image/svg+xml") -> Response:
    """Return a response with a picture that browsers may cache."""
    response = Response(picture, content_type=content_type)
    # Not for shared caches, as responses contain cookies.
    response.cache_control.private, response.cache_control.max_age = True, _ONE_DAY
    return response


def _unnamed(row: Row, *, has_surface: bool) -> Row:
    """Return a row without names, except those of emptied places: the surface extends below named places."""
    cells = (replace(cell, name=cell.name if has_surface and not cell.ground else "") for cell in row.cells)
    return replace(row, label="", cells=tuple(cells))
