"""Read the rows of a damaged SQLite file, page by page and without SQLite, which stops at the first bad page.

The format of the file is described at https://sqlite.org/fileformat.html. A row is returned if all of its bytes
have the form that its table expects; other rows are counted. Nothing is written.
"""

import sqlite3
import struct
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

Value = int | float | str | bytes | None

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
"""The size of the header of the file, before the first page's own header."""
_INTERIOR, _LEAF = 5, 13
"""The types of the pages of tables; only leaves have rows."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The sizes of integers by their type in a record."""
_REAL, _ZERO, _ONE, _BLOB = 7, 8, 9, 12
_LARGEST = 1 << 30
_COLUMNS = "SELECT name, type, `notnull`, pk, dflt_value FROM pragma_table_info(?)"


class BadPage(Exception):
    """A page, or a row in it, does not have the form that SQLite writes."""


@dataclass(frozen=True)
class TableForm:
    """A table: its first page, and its columns with their types."""

    root: int
    columns: tuple[str, ...]
    types: tuple[str, ...]
    required: tuple[bool, ...]
    number: int | None
    """The place of the column that SQLite stores outside of the row, as its number; None for no column."""
    least: int
    """The number of columns of the oldest rows: SQLite does not rewrite rows when a column is added."""

    def fits(self, row: tuple[Value, ...]) -> bool:
        """Return whether a row has the columns of this table, with values of their types."""
        if not self.least <= len(row) <= len(self.columns):
            return False
        each = zip(row, self.types, self.required, strict=False)
        return all(_fits(value, type_, required=required) for value, type_, required in each)


def _fits(value: Value, type_: str, *, required: bool) -> bool:
    if value is None:
        return not required
    if any(name in type_ for name in ("INT", "BOOL")):
        return isinstance(value, int)
    if any(name in type_ for name in ("CHAR", "DATE", "TEXT")):
        return isinstance(value, str)
    if "BLOB" in type_:
        return isinstance(value, bytes)
    if "FLOAT" in type_:
        return isinstance(value, int | float)
    return not isinstance(value, bytes)


SCHEMA = TableForm(
    1,
    ("type", "name", "tbl_name", "rootpage", "sql"),
    ("TEXT", "TEXT", "TEXT", "INT", ""),
    (False,) * 5,
    None,
    5,
)
"""The table of all tables and indexes."""


def forms(file: Path) -> dict[str, TableForm]:
    """Return the tables of an intact SQLite file by name."""
    with closing(sqlite3.connect(file)) as database:
        tables = database.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'").fetchall()
        found = {}
        for name, root in tables:
            rows = database.execute(_COLUMNS, (name,)).fetchall()
            columns, types, required, keys, defaults = zip(*rows, strict=True)
            alone = [place for place, key in enumerate(keys) if key]
            number = alone[0] if len(alone) == 1 and types[alone[0]] == "INTEGER" else None
            needed = [
                place
                for place, given in enumerate(zip(required, keys, defaults, strict=True), 1)
                if _is_needed(*given)
            ]
            found[name] = TableForm(
                root, columns, types, tuple(map(bool, required)), number, max(needed, default=0)
            )
    return found


def _is_needed(required: int, key: int, default: object) -> bool:
    return bool(key) or (bool(required) and default is None)


@dataclass
class Pages:
    """The pages of a file, and which of them have been used or are damaged."""

    file: BinaryIO
    size: int
    usable: int
    count: int
    used: set[int] = field(default_factory=set)
    """The pages to which a table has led."""
    spare: set[int] = field(default_factory=set)
    """The pages that the file calls free, or that hold the ends of rows. In a damaged file, some are wrong."""
    lost: dict[str, int] = field(default_factory=dict)
    """The number of damaged pages and rows by table."""

    @classmethod
    def open(cls, file: BinaryIO) -> "Pages":
        """Return the pages of a file; the usual sizes if its header is damaged."""
        header, length = file.read(_HEADER), file.seek(0, 2)
        size, reserved = 4096, 0
        if header.startswith(_MAGIC) and len(header) == _HEADER:
            given = int.from_bytes(header[16:18])
            size, reserved = 65536 if given == 1 else given, header[20]
        if size < 512 or size & (size - 1):
            size, reserved = 4096, 0
        pages = cls(file, size, size - reserved, length // size)
        pages._mark_free(int.from_bytes(header[32:36]))
        return pages

    def read(self, number: int) -> bytes:
        """Return a page. Raises BadPage if the file has no such page."""
        if not 0 < number <= self.count:
            raise BadPage(f"there is no page {number}")
        self.file.seek((number - 1) * self.size)
        return self.file.read(self.size)

    def rows(self, name: str, form: TableForm) -> Iterator[tuple[Value, ...]]:
        """Yield the rows of a table that can be read."""
        for leaf in self._leaves(name, form.root):
            found = list(self._rows_of(leaf, form))
            if not any(found):
                self.used.discard(leaf)  # it may be a page of another table
            for row in found:
                if row is None:
                    self._lose(name)
                else:
                    yield row

    def stray_rows(self, tables: Mapping[str, TableForm]) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Yield table and values of rows on pages that no table led to, because a page above is damaged.

        Such a page belongs to the only table with lost pages whose form fits all of its rows.
        """
        damaged = {name: form for name, form in tables.items() if name in self.lost}
        for number in range(2, self.count + 1):
            if number in self.used or number in self.spare or self.read(number)[0] != _LEAF:
                continue
            fitting = [(name, rows) for name, form in damaged.items() if (rows := self._all_rows(number, form))]
            if len(fitting) == 1:
                [(name, rows)] = fitting
                yield from ((name, row) for row in rows)

    def _all_rows(self, number: int, form: TableForm) -> list[tuple[Value, ...]]:
        """Return the rows of a page; [] if one of them does not fit."""
        found = list(self._rows_of(number, form))
        return [] if None in found else [row for row in found if row is not None]

    def _lose(self, name: str) -> None:
        self.lost[name] = self.lost.get(name, 0) + 1

    def _mark_free(self, trunk: int) -> None:
        """Mark the pages that the file does not use: they contain deleted rows."""
        while 0 < trunk <= self.count and trunk not in self.spare:
            page = self.read(trunk)
            self.spare.add(trunk)
            following, leaves = struct.unpack_from(">II", page)
            fitting = min(leaves, (self.usable - 8) // 4)
            self.spare.update(struct.unpack_from(f">{fitting}I", page, 8))
            trunk = following

    def _leaves(self, name: str, root: int) -> Iterator[int]:
        """Yield the leaf pages of a table, in order, and note damaged pages above them."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self.used:
                self._lose(name)
                continue
            try:
                page, start = self.read(number), _start(number)
                self.used.add(number)
                if page[start] == _LEAF:
                    yield number
                elif page[start] == _INTERIOR:
                    waiting += reversed(_children(page, start))
                else:
                    self._lose(name)
            except BadPage:
                self._lose(name)

    def _rows_of(self, number: int, form: TableForm) -> Iterator[tuple[Value, ...] | None]:
        """Yield the rows of a page, None for each that cannot be read or does not fit."""
        page, start = self.read(number), _start(number)
        count = int.from_bytes(page[start + 3 : start + 5])
        for place in range(count):
            try:
                [cell] = struct.unpack_from(">H", page, start + 8 + 2 * place)
                row_number, row = self._row(page, cell)
            except (BadPage, IndexError, ValueError, struct.error):
                yield None
                continue
            if form.number is not None and len(row) > form.number:
                row = (*row[: form.number], row_number, *row[form.number + 1 :])
            yield row if form.fits(row) else None

    def _row(self, page: bytes, cell: int) -> tuple[int, tuple[Value, ...]]:
        size, at = _varint(page, cell)
        number, at = _varint(page, at)
        if size > min(_LARGEST, self.count * self.size):
            raise BadPage("a row is larger than the file")
        return number, _values(self._content(page, at, size))

    def _content(self, page: bytes, at: int, size: int) -> bytes:
        """Return the content of a row, whose end may be on other pages."""
        most, least = self.usable - 35, (self.usable - 12) * 32 // 255 - 23
        here = size
        if size > most:
            here = least + (size - least) % (self.usable - 4)
            here = here if here <= most else least
        content = page[at : at + here]
        if here == size:
            return content
        [following] = struct.unpack_from(">I", page, at + here)
        pieces, left = [content], size - here
        while left > 0:
            more = self.read(following)
            self.spare.add(following)
            pieces.append(more[4 : min(4 + left, self.usable)])
            left -= len(pieces[-1])
            following = int.from_bytes(more[:4])
        return b"".join(pieces)


def _start(number: int) -> int:
    return _HEADER if number == 1 else 0


def _children(page: bytes, start: int) -> list[int]:
    """Return the pages below a page of a table or an index."""
    count = int.from_bytes(page[start + 3 : start + 5])
    if start + 12 + 2 * count > len(page):
        raise BadPage("it has more entries than fit")
    cells = struct.unpack_from(f">{count}H", page, start + 12)
    found = [int.from_bytes(page[cell : cell + 4]) for cell in cells]
    return [*found, int.from_bytes(page[start + 8 : start + 12])]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of one to nine bytes, and the place after it."""
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64 if value >> 63 else 0), at + 9


def _values(content: bytes) -> tuple[Value, ...]:
    """Return the values of a record. Raises BadPage unless they fill it exactly."""
    end, at = _varint(content, 0)
    types, found = [], []
    while at < end:
        type_, at = _varint(content, at)
        types.append(type_)
    for type_ in types:
        size = _size(type_)
        if end + size > len(content):
            raise BadPage("a value is longer than its row")
        found.append(_value(type_, content[end : end + size]))
        end += size
    if end != len(content):
        raise BadPage("a row is longer than its values")
    return tuple(found)


def _size(type_: int) -> int:
    if type_ >= _BLOB:
        return (type_ - _BLOB) // 2
    if type_ in (10, 11) or type_ < 0:
        raise BadPage("there is no such type")
    return 8 if type_ == _REAL else _INTEGERS.get(type_, 0)


def _value(type_: int, data: bytes) -> Value:
    if type_ == 0:
        return None
    if type_ in (_ZERO, _ONE):
        return type_ - _ZERO
    if type_ == _REAL:
        return float(struct.unpack(">d", data)[0])
    if type_ < _BLOB:
        return int.from_bytes(data, signed=True)
    return data.decode() if type_ % 2 else data
