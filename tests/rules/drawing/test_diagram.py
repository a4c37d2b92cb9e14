"""The three pictures of a diagram: their contents and size; nothing is lost or unsafe."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rules.drawing import Door, Shapes, ascii_board, html_board, link_sign, svg_board
from rules.drawing.diagram import ON_LIGHT, Arrow, Cell, Diagram, Die, Ground, Row
from rules.drawing.dice import html_dice
from rules.drawing.frame import short
from rules.drawing.glyphs import GLYPHS
from rules.drawing.shapes import CROSS
from rules.drawing.themes import BLACK, LIGHT, POINTS, WALL, WHITE
from rules.games.nelaxtam.picture import BADGES, TILES
from rules.games.nexus.picture import MARBLES, RING
from rules.games.nibble.picture import BLOCKS
from rules.registry import rules_named
from tests.support.rules import sample_diagrams

BOARDS = sample_diagrams.every_sort()
SVG = "{http://www.w3.org/2000/svg}"
VOID = {"br"}
FOR_SPAM_FILTERS = "\u200a\u200c"
"""Signs in the table that nobody sees."""
LONE_LETTER = re.compile(r'>\s*(?:[a-z"]|&#(?:\d+|x[0-9a-f]+);)\s*<', re.ASCII | re.IGNORECASE)
BITCOIN = re.compile(r"\b[13](?:[-_=\s][a-km-zA-HJ-NP-Z1-9]){29,34}\b")
"""What SpamAssassin finds suspicious (HTML_SINGLET, BITCOIN_ID)."""
ATTRIBUTES = {
    "style",
    "colspan",
    "width",
    "height",
    "bgcolor",
    "cellspacing",
    "cellpadding",
    "scope",
    "aria-label",
}

every_board = pytest.mark.parametrize("diagram", BOARDS.values(), ids=list(BOARDS))


def small(**changes: object) -> Diagram:
    """Four squares with a disc of each colour, the black one marked, and two arrows."""
    diagram = Diagram(
        rows=(
            Row("2", (Cell("a2", "b", LIGHT, BLACK, mark=True), Cell("b2", "", LIGHT))),
            Row("1", (Cell("a1", "", LIGHT), Cell("b1", "w", LIGHT, WHITE))),
        ),
        files=("a", "b"),
        captions=("Black has 1 disc, White 1.",),
        arrows=(Arrow("b1", "a1"), Arrow("b1", "b2", "hit")),
    )
    return replace(diagram, **changes)  # type: ignore[arg-type]  # replace() checks the names


def filled(cell: Cell) -> Cell:
    """Return a cell with a letter, if it is one of the board."""
    letter = next(iter(cell.ink.marbles if cell.ink else ()), "x")
    return replace(cell, text=letter) if cell.ground and len(cell.text) < 2 else cell


class TableReader(HTMLParser):
    """Reads HTML, checks that its tags are closed in order, and collects the text of table cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        data = data.translate(dict.fromkeys(map(ord, FOR_SPAM_FILTERS)))
        self.words += data
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def drawn(diagram: Diagram, doors: dict[str, Door] | None = None) -> ElementTree.Element:
    """The SVG picture, read as XML."""
    return ElementTree.fromstring(svg_board(diagram, doors=doors))  # noqa: S314 - our own text


def test_ascii_draws_discs() -> None:
    assert ascii_board(small()).splitlines() == [
        "   a  b",
        "2|[b]*.*|2",
        "1|>.<(w)|1",
        "   a  b",
        "[ ]: changed this turn.",
        "Moves, from ( ) to > <: b1 > a1.",
        "Hits, from ( ) to * *: b1 * b2.",
        "Black has 1 disc, White 1.",
    ]


def test_ascii_draws_tiles() -> None:
    assert ascii_board(BOARDS["tiles-8"]).splitlines() == [
        "   a  b  c  d  e  f  g  h",
        "8| x  B  x  o  x  o  x  o |8",
        "7| o  x  o  .  .  .  o  x |7",
        "6| x  o  x [.][.] A  x  o |6",
        "5| o  x  o  x (2)*x* o  x |5",
        "4| x  o  x >o< x  o  x  o |4",
        "3| o  x (1) x  o  x  o  x |3",
        "2| .  .  x  o  x  o  x  o |2",
        "1| o  x  o  x  o  x  o  x |1",
        "   a  b  c  d  e  f  g  h",
        "[ ]: changed this turn.",
        "Moves, from ( ) to > <: c3 > d4.",
        "Destructions, from ( ) to * *: e5 * f5.",
        "Tiles: O 41, X 38. Troops of O: 1, 2. Troops of X: A, B.",
    ]


def test_ascii_draws_blocks_on_a_hexagon() -> None:
    assert ascii_board(sample_diagrams.hexagon(3)).splitlines() == [
        "    e1  .   J   .   e3",
        "  d1  C   F   I   L   d4",
        "c1  .   B   E   H   .   c5",
        "  b1  H   K   A   D   b4",
        "    a1 [.]  G   .   a3",
        "[ ]: changed this turn.",
        "First: A 2. Second: B 1.",
    ]


def test_ascii_draws_rings() -> None:
    assert ascii_board(sample_diagrams.rings(4, 5)).splitlines() == [
        " d9   .     .     .     .    g9",
        "   d10  rrr    o     .     o    g10",
        "      d11   o     .    (by) >ggyy< g11",
        "         d12  rrr    o     r    (.)   g12",
        "            d13   .     .     .     .    g13",
        "[ ]: changed this turn.",
        "Moves, from ( ) to > <: f11 > g11, g12 > h14.",
        "Reserve: red 3, blue 4.",
    ]


def test_ascii_draws_many_rings_in_two_lines() -> None:
    assert ascii_board(sample_diagrams.rings(11, 4)).splitlines()[:5] == [
        " d9  .   .   .   .   .   .   .   .   .   .   .   n9",
        "  d10  rr  o   .   o   rr  o   bb  .   gg  o   rr  n10",
        "       r               rb              yy      r",
        "    d11  o   .  (by)>gg  o   rr  .   r   o   rr  o   n11",
        "                     yy<     r               rb",
    ]


def test_ascii_draws_a_wide_board_in_parts() -> None:
    lines = ascii_board(sample_diagrams.rings(23, 3)).splitlines()
    assert lines[0].split() == ["d9", *["."] * 15, "r9"]
    assert lines[lines.index("") + 1].split() == ["s9", *["."] * 8, "z9"]
    names = [word for line in lines[:9] for word in line.split() if re.fullmatch(r"[a-z]\d+", word)]
    assert names == ["d9", "r9", "d10", "r10", "d11", "q11", "s9", "z9", "s10", "z10", "r11", "z11"]


def test_ascii_draws_points() -> None:
    lines = ascii_board(BOARDS["points"]).splitlines()
    assert lines[0] == "1  13  14  15  16  17  18      19  20  21  22  23  24          1"
    assert lines[2] == "   .   b   w   .  [b]  w       .   .   b   w   .   b       2b"
    assert lines[6] == "   .   .   .   .  [.]  15      .   .   .   .   .   ."


def test_long_captions_are_wrapped_and_made_ascii() -> None:
    caption = "Zoë’s reserve – three marbles × 2 → " + "very " * 20 + "full"
    lines = ascii_board(small(captions=(caption,))).splitlines()
    assert max(map(len, lines)) <= 72
    assert "Zoe's reserve - three marbles x 2 > very" in "\n".join(lines)


@every_board
def test_ascii_picture_is_narrow(diagram: Diagram) -> None:
    picture = ascii_board(diagram)
    assert picture.isascii()
    assert max(map(len, picture.splitlines())) <= 72
    assert all(line == line.rstrip() for line in picture.splitlines())


@every_board
def test_every_text_is_in_every_picture(diagram: Diagram) -> None:
    """In ASCII and HTML each letter appears as often as in the cells; in SVG each cell has a title.

    In ASCII an empty place has a sign; in HTML it has its colour, or a dot if it has none.
    """
    cells = [cell for row in diagram.rows for cell in row.cells]
    written = "".join(sorted("".join(cell.text or ".o"[cell.ground is RING] for cell in cells if cell.ground)))
    plain = replace(diagram, captions=(), arrows=(), files=(), rows=tuple(map(unlabelled, diagram.rows)))
    assert "".join(sorted(re.sub(r"\s", "", ascii_board(plain)))) == written
    held = "".join(cell.text or "·" * (not cell.ground.fill) for cell in cells if cell.ground)
    assert sorted(re.sub(r"\s", "", TableReader(html_board(plain)).words)) == sorted(held)
    titles = [title.text for title in drawn(diagram).iter(f"{SVG}title")]
    assert len(titles) == sum(bool(cell.ground) for cell in cells)
    for title, cell in zip(titles, [cell for cell in cells if cell.ground], strict=True):
        assert title is not None
        assert title.startswith(f"{cell.name}: {cell.text}" if cell.name else cell.text)


def unlabelled(row: Row) -> Row:
    """The row without names, labels and marks, and without the numbers beside the board."""
    cells = (replace(cell, name="", mark=False, text=cell.text if cell.ground else "") for cell in row.cells)
    return replace(row, label="", cells=tuple(cells))


@every_board
def test_html_is_one_small_table_with_inline_style(diagram: Diagram) -> None:
    text = html_board(diagram)
    assert len(text) < 40_000
    table = TableReader(text)
    tags = [tag for tag, _ in table.tags]
    assert tags.count("table") == 1
    assert set(tags) <= {"table", "tr", "td", "th", "div", "b", "br", "p"}
    for _, attributes in table.tags:
        assert set(attributes) <= ATTRIBUTES
        style = attributes.get("style") or ""
        assert not re.search(r"flex|grid|position|url|float", style)


@every_board
def test_html_has_no_text_too_small_to_read(diagram: Diagram) -> None:
    sizes = re.findall(r"font(?:-size)?:[a-z ]*(\d+)px", html_board(diagram))
    assert min(map(int, sizes)) >= 12


@every_board
def test_html_sets_a_text_colour_with_every_background(diagram: Diagram) -> None:
    """An attribute has the colour too, since Outlook and dark modes read it before any style."""
    cells = re.findall("<td.*?</td>", html_board(diagram))
    assert any("bgcolor" in cell for cell in cells)
    for cell in cells:
        assert ("background:" in cell) <= (";color:" in cell)
        assert ("bgcolor=" in cell) <= ("color:#" in cell)


@every_board
def test_spam_filter_finds_no_lone_letters_and_no_bitcoin_address(diagram: Diagram) -> None:
    """Nor hidden text: it does not read the attribute that gives light letters a dark cell."""
    full = replace(
        diagram, rows=tuple(replace(row, cells=tuple(map(filled, row.cells))) for row in diagram.rows)
    )
    table = html_board(full)
    assert LONE_LETTER.findall(table) == []
    for text in (ascii_board(full), " ".join(re.findall(r">([^<>]+)<", table))):
        assert not BITCOIN.search(" ".join(text.split()))
    for cell in re.findall(r"<td [^>]*bgcolor[^>]*>", table):
        assert ("color:#" in cell) <= ("background:#" in cell)


@every_board
def test_html_rows_have_the_same_columns(diagram: Diagram) -> None:
    widths = set()
    for row in re.findall(r"<tr.*?</tr>", html_board(diagram)):
        cells = re.findall(r"<t[dh][^>]*>", row)
        spans = (re.search(r'colspan="(\d+)"', cell) for cell in cells)
        widths.add(sum(int(span[1]) if span else 1 for span in spans))
    labels = {width for width in widths if diagram.files and width == max(widths) - 1}
    assert len(widths - labels) == 1


def test_largest_full_boards_stay_small() -> None:
    inks = (BLACK, WHITE)
    rows = tuple(
        Row(str(y), tuple(Cell(f"a{x}", "b", LIGHT, inks[x % 2]) for x in range(15))) for y in range(15)
    )
    assert len(html_board(Diagram(rows))) < 40_000
    assert len(html_board(BOARDS["hexagon"])) < 20_000


@every_board
def test_html_of_fifteen_cells_fits_a_phone(diagram: Diagram) -> None:
    width = int(dict(TableReader(html_board(diagram)).tags[0][1])["width"] or 0)
    cells = max(row.shift + 2 * len(row.cells) for row in diagram.rows) / 2
    assert cells > 15 or width <= 360


@pytest.mark.parametrize(
    ("places", "sign"),
    [(["b1"], "an underlined letter"), (["a1"], "a dot"), (["a2", "a1"], "a dot or an underlined letter")],
)
def test_sign_of_linked_places_is_the_one_on_the_board(places: list[str], sign: str) -> None:
    assert link_sign(small(), places) == sign


def test_html_has_frames_where_ascii_has_signs() -> None:
    table = TableReader(html_board(small()))
    board = [[text.strip() for text in row] for row in table.rows if "2" in row or "1" in row]
    assert board == [["2", "b", "", "2"], ["1", "", "w", "1"]]
    borders = (re.search(r"border:\dpx \w+", attributes.get("style") or "") for _, attributes in table.tags)
    assert [border[0] for border in borders if border] == [
        "border:2px solid",
        "border:3px double",
        "border:2px solid",
        "border:2px dashed",
    ]
    assert "Framed: changed this turn." in table.words
    assert "Moves, from a broken frame to a solid one: b1 to a1." in table.words
    assert "Hits, from a broken frame to a double one: b1 hits b2." in table.words
    assert "Black has 1 disc, White 1." in table.words


def test_html_frame_does_not_cut_into_a_disc() -> None:
    """The framed disc is as round as all others, and has as much room."""
    framed, free = (
        html_board(small(rows=rows)) for rows in (small().rows, tuple(map(unlabelled, small().rows)))
    )
    discs = [
        re.findall(r'<div style="(margin:3px;|)(border-radius:50%;[^"]*)"', text) for text in (framed, free)
    ]
    assert [look for _, look in discs[0]] == [look for _, look in discs[1]]
    assert [margin for margin, _ in discs[0]] == ["", ""]
    assert [margin for margin, _ in discs[1]] == ["margin:3px;"] * 2
    assert re.findall(r"border:(\d)px \w+ #\w+(?:;padding:(\d)px)?", framed)[0] == ("2", "1")


def test_html_links_cells_and_marks_empty_ones_that_can_be_played() -> None:
    linked = html_board(
        small(), {"b1": "mailto:x?body=b1&subject=1", "b2": "mailto:x?body=b2", "z9": "/nowhere"}
    )
    assert re.findall('<a href="([^"]*)" aria-label="([^"]*)"', linked) == [
        ("mailto:x?body=b2", "b2"),
        ("mailto:x?body=b1&amp;subject=1", "b1"),
    ]
    shown = [text for row in TableReader(linked).rows for text in row if text.strip()]
    assert shown == ["a", "b", "2", "b", "·", "2", "1", "w", "1", "a", "b"]


def test_table_heads_are_never_empty() -> None:
    """Labels beside and above are header cells; those below and on the other side repeat them and are not."""
    table = html_board(small())
    assert re.findall(r'<th scope="(\w+)"[^>]*>(\w*)\s*</th>', table) == [
        ("col", "a"),
        ("col", "b"),
        ("row", "2"),
        ("row", "1"),
    ]
    assert "<th" not in html_board(BOARDS["points"]).replace('<th scope="row" ', "", 4)


def test_dice_have_the_right_number_of_pips() -> None:
    assert "<table" not in html_dice(())
    for die in range(1, 7):
        assert html_dice([die]).count("#222222") == die
        assert f"A die showing {die}" in html_dice([die])
    table = TableReader(html_board(small(dice=(Die(3), Die(5), Die(6, "used")))))
    assert [tag for tag, _ in table.tags].count("table") == 1 + 1 + 2, "only those to be played"


def test_svg_strikes_through_used_dice() -> None:
    dice = tuple(Die(number, state) for state in ("", "used", "not played") for number in range(1, 7))
    for die in dice:
        (group,) = drawn(small(dice=(die,), arrows=())).findall(f"{SVG}g[@role='img']")
        assert (group.get("aria-label"), count(group, "circle")) == (f"Dice: {die}", die.number)
        assert count(group, "path") == (die.state == "used")
        dashed = [face for face in group.iter(f"{SVG}rect") if "stroke-dasharray" in face.attrib]
        assert len(dashed) == (die.state == "not played")
        colours = {each.get("stroke", each.get("fill")) for each in group.iter()}
        assert "currentColor" not in colours, "the board is light on a dark page, too"
    assert 'aria-label="Dice: 5 (used) and 2"' in svg_board(small(dice=(Die(5, "used"), Die(2))))
    assert 'aria-label="Dice: 3 (used), 3, 3 and 3"' in svg_board(small(dice=(Die(3, "used"), *[Die(3)] * 3)))
    assert "Dice" not in svg_board(small())


def test_svg_draws_marks_and_arrows() -> None:
    plain = drawn(small(arrows=(), rows=tuple(map(unlabelled, small().rows))))
    full = drawn(small())
    assert [seen(full, "rect") - seen(plain, "rect"), count(full, "path")] == [2, 6]
    assert not list(plain.iter(f"{SVG}path"))
    assert sum("stroke-dasharray" in path.attrib for path in full.iter(f"{SVG}path")) == 1
    assert "changed this turn" in svg_board(small())


@pytest.mark.parametrize(("name", "labels"), [("", ["A", "A"]), ("a1", ["a1"])])
def test_row_of_one_named_place_has_one_label(name: str, labels: list[str]) -> None:
    picture = drawn(Diagram((Row("A", (Cell(name, "", RING),)),), hexagonal=True))
    assert [text.text for text in picture.iterfind(f"{SVG}g[@class='labels']/{SVG}text")] == labels


@pytest.mark.parametrize(("surface", "colour"), [(None, "currentColor"), (WALL, ON_LIGHT)])
def test_text_on_a_surface_is_dark_on_a_dark_page_too(surface: Ground | None, colour: str) -> None:
    picture = drawn(Diagram((Row("1", (Cell("a1", "."), Cell("b1", ground=LIGHT))),), surface=surface))
    groups = picture.iterfind(f"{SVG}g[@class='labels']")
    assert [group.get("fill") for group in groups if group[0].text == "."] == [colour]


def test_frame_is_below_a_disc_and_a_ring_around_it() -> None:
    for ground, is_below in ((LIGHT, True), (POINTS["up"][0], False)):
        diagram = Diagram((Row("", (Cell("a1", "b", ground, BLACK, mark=True),)),))
        *_, shape = used(drawn(diagram))
        strokes = [part.get("stroke") for part in shape.iter()]
        assert (strokes[-1] != "#c16") is is_below
        assert "#c16" in strokes


def count(picture: ElementTree.Element, tag: str) -> int:
    """Return how many elements of this tag a picture has."""
    return len(list(picture.iter(SVG + tag)))


def used(picture: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the shapes of a picture, each as often as it appears."""
    shapes = {f"#{shape.get('id')}": shape for shape in picture.iter(f"{SVG}g") if "id" in shape.attrib}
    return [shapes[use.attrib["href"]] for use in picture.iter(f"{SVG}use")]


def seen(picture: ElementTree.Element, tag: str) -> int:
    """Return how many elements of this tag appear in the places of a picture."""
    return sum(count(shape, tag) for shape in used(picture))


def test_arrow_to_a_missing_place_is_listed() -> None:
    diagram = small(arrows=(Arrow("hand", "a1"), Arrow("b1", "b1")))
    assert "hand > a1, b1 > b1." in ascii_board(diagram)
    assert not count(drawn(diagram), "path")


@every_board
def test_svg_is_well_formed_and_needs_no_style_attribute(diagram: Diagram) -> None:
    picture = drawn(diagram)
    assert all("style" not in element.attrib for element in picture.iter())
    left, top, width, height = map(float, picture.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert width < float(picture.attrib["width"])
    for place in picture.iter(f"{SVG}use"):
        assert 20 <= float(place.attrib["x"]) <= width - 20
        assert 20 <= float(place.attrib["y"]) <= height - 20


def test_hexagons_discs_badges_and_marbles_have_shapes() -> None:
    assert seen(drawn(BOARDS["hexagon"]), "polygon") >= 169
    assert seen(drawn(sample_diagrams.rings(4, 5)), "polygon") == 0
    assert seen(drawn(small(rows=small().rows[:1])), "circle") == 3
    boxes = [box for shape in used(drawn(BOARDS["tiles-8"])) for box in shape.iter(f"{SVG}rect")]
    assert sorted(box.get("rx", "") for box in boxes if box.get("stroke") == "#fff" and "rx" in box.attrib) == [
        *["16"] * 2,
        *["6"] * 2,
    ]
    ring = drawn(Diagram((Row("", (Cell("m13", "brrr", RING, MARBLES),)),), hexagonal=True))
    assert [text.text for text in ring.iter(f"{SVG}text")] == ["b", "r", "r", "r", "m13"]


def test_thin_spaces_in_emails_are_in_no_font_that_makes_them_wide() -> None:
    ring = Diagram((Row("", (Cell("m13", "br", RING, MARBLES),)),), hexagonal=True)
    assert html_board(ring).count("\u200a") == 2
    assert "monospace" not in html_board(ring)


def test_shared_shapes_are_defined_once() -> None:
    board, shared = BOARDS["tiles-8"], Shapes("p")
    page = (
        f"<main>{svg_board(board)}{svg_board(board, shapes=shared)}{svg_board(small(), shapes=shared)}</main>"
    )
    both = ElementTree.fromstring(page)  # noqa: S314 - our own text
    names = [element.attrib["id"] for element in both.iter() if "id" in element.attrib]
    assert len(names) == len(set(names)) < count(both, "use") / 3
    assert {use.attrib["href"] for use in both.iter(f"{SVG}use")} == {f"#{name}" for name in names}
    assert "<g id=" not in svg_board(board, shapes=shared)


def test_picture_next_to_its_description_has_no_titles() -> None:
    silent = ElementTree.fromstring(svg_board(small(), shapes=Shapes(titles=False)))  # noqa: S314 - ours
    told = drawn(small())
    assert (count(told, "title"), told.get("aria-hidden"), told.get("aria-label")) == (4, None, "Board")
    assert (count(silent, "title"), silent.get("aria-hidden"), silent.get("aria-label")) == (0, "true", None)
    assert seen(silent, "rect") == seen(told, "rect") > 4
    tall = svg_board(small(rows=small().rows * 9), shapes=Shapes(titles=False))
    assert tall.count("<use") == 4 + 2 * 9, "equal rows are written down once"


def test_doors_surround_only_their_cells() -> None:
    doors = {"b2": Door("b2", "place b2", "/play?move=b2&turn=1"), "z9": Door("z9", "nowhere", "/nowhere")}
    picture = drawn(small(), doors=doors)
    links = list(picture.iter(f"{SVG}a"))
    assert [link.get("href") for link in links] == ["/play?move=b2&turn=1"]
    assert (links[0].get("aria-label"), links[0].get("data-pick")) == ("place b2", "b2")
    assert [title.text for title in picture.iter(f"{SVG}title")] == [
        "a2: b, black (changed this turn)",
        "a1: empty",
        "b1: w, white",
    ], "the door says more of b2 than that it is empty"
    (framed,) = (
        shape for shape in picture.iter(f"{SVG}g") if shape.find(f"{SVG}g[@stroke='none']") is not None
    )
    assert [use.get("href") for use in links[0].iter(f"{SVG}use")] == [f"#{framed.get('id')}"]
    assert ":focus-visible use" in svg_board(small())


def test_svg_hides_only_letters_of_pieces_that_can_be_recognized_without_them() -> None:
    """People see which piece it is by its shape, its brightness or its sign."""
    for text, ground, ink, hidden in (
        ("b", LIGHT, BLACK, True),
        ("10", LIGHT, BLACK, False),
        ("7", LIGHT, BLACK, False),
        ("x", TILES["x"], None, True),
        ("A", TILES["x"], BADGES["x"], False),
        ("?", Ground("#fff", "#000", ""), None, False),
    ):
        picture = drawn(Diagram((Row("", (Cell("a1", text, ground, ink),)),)))
        (written,) = picture.iter(f"{SVG}text")
        assert (written.text, written.get("class") == "letter") == (text, hidden)
    assert ".letter{display:none}" in svg_board(small())


def test_pieces_of_equal_brightness_have_different_signs() -> None:
    for looks in (BLOCKS, MARBLES.marbles):
        signs = [GLYPHS[look.glyph or ""] for look in looks.values()]
        assert all(signs)
        assert len(set(signs)) == len(signs)


def test_the_surface_reaches_from_the_first_place_to_the_last() -> None:
    picture = drawn(small(surface=WALL))
    surface, edge = used(picture)[0]
    size = [float(surface.attrib[each]) for each in ("x", "y", "width", "height")]
    places = [
        (float(use.attrib["x"]), float(use.attrib["y"]))
        for use in picture.iter(f"{SVG}use")
        if "x" in use.attrib
    ]
    assert size[0] < min(x for x, _ in places) - 20
    assert size[1] < min(y for _, y in places) - 20
    assert size[0] + size[2] > max(x for x, _ in places) + 20
    assert size[1] + size[3] > max(y for _, y in places) + 20
    assert edge.get("fill") == "none"
    assert len(used(drawn(small()))) == len(places)


def test_triangles_point_from_the_edges_of_the_board_to_its_middle() -> None:
    upper, lower = (
        [Row("", tuple(Cell("1", "", ground) for ground in POINTS[way]))] * 5 for way in ("down", "up")
    )
    picture = drawn(Diagram((*upper, Row("", (Cell(""),)), *lower)))
    field, *paths = used(picture)[0]
    assert field.get("class") == "baize"
    assert [path.get("class") for path in paths] == ["light-point", "dark-point"]
    for path in paths:
        down, up = (float(tip) for tip in re.findall(r"l-18.5 (-?[0-9.]+)h0z", path.attrib["d"]))
        assert (down > 0, up < 0) == (True, True)


def test_all_text_is_escaped() -> None:
    evil = '<&">'
    diagram = Diagram(
        rows=(Row(evil, (Cell(evil, evil, LIGHT), Cell("", evil), Cell(evil, "ab", LIGHT, BLACK, True))),),
        files=(evil, evil, evil),
        captions=(f"{evil} & <script>",),
        arrows=(Arrow(evil, evil),),
    )
    assert "<script" not in html_board(diagram)
    assert TableReader(html_board(diagram)).words.count(evil) == 13
    picture = drawn(diagram, doors={evil: Door(evil, evil, f"/x?{evil}")})
    assert {link.get("href") for link in picture.iter(f"{SVG}a")} == {f"/x?{evil}"}
    assert evil in [text.text for text in picture.iter(f"{SVG}text")]
    assert evil in ascii_board(diagram)


@every_board
def test_pictures_are_deterministic(diagram: Diagram) -> None:
    again = replace(diagram)
    for draw in (ascii_board, html_board, svg_board):
        assert draw(diagram) == draw(again)


def test_empty_picture_is_drawn() -> None:
    assert ascii_board(Diagram(())) == ""
    assert TableReader(html_board(Diagram(()))).words == ""
    assert not count(drawn(Diagram(())), "g")


def test_other_places_are_crossed_out_if_most_can_be_picked() -> None:
    rules = rules_named("nebuchadnezzar")
    for size, crowded in ((4, False), (8, True)):
        diagram = rules.diagram(rules.start(rules.options({"size": size}), {}))
        names = sorted({cell.name for row in diagram.rows for cell in row.cells if cell.name})
        doors = {name: Door(name, name) for name in names[1:]}
        drawn = svg_board(diagram, doors=doors)
        assert (CROSS in drawn, 'class="lit"' in drawn) == (crowded, not crowded)


@pytest.mark.parametrize("place", [-0.0, -0.04])
def test_coordinates_have_no_negative_zero(place: float) -> None:
    """Because -0.0 equals 0.0, the cache would return the text of one for the other."""
    short.cache_clear()
    assert [short(place), short(0.0)] == ["0", "0"]
