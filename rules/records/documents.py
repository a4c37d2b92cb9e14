"""JSON from unknown sources, accepted only if every program reads it in the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NoReturn

from rules.errors import BadData
from rules.game import Json
from rules.limits import LARGEST_RECORD
from rules.records.turns import shown
from rules.sentences import shortened

_HALF = re.compile("[\ud800-\udfff]")
_DEPTH = 50
"""The depth to which JSON may be nested, so that no reader runs out of stack."""
_DEEP = "This is nested too deeply to be read."


def read_object(source: str | Json, form: str) -> Json:
    """Return the JSON object in a text, or given as one. Raises BadData unless it has the format `form`."""
    data = read_json(source) if isinstance(source, str) else _shallow(source)
    if not isinstance(data, dict):
        raise BadData(f'This is not a JSON object with "format": "{form}".')
    if not all(map(_is_text, _texts(data))):
        raise BadData(
            "This contains half a character, or a character without a meaning (\\ud800, say, or \\u0000)."
        )
    if data.get("format") != form:
        raise BadData(f'"format" must be "{form}", not {shown(data.get("format"))}.')
    return data


def read_json(source: str) -> object:
    """Return the value of a JSON text, if it is not too long and is unambiguous. Raises BadData."""
    if len(source) > LARGEST_RECORD:
        raise BadData(f"This can have at most {LARGEST_RECORD} characters; it has {len(source)}.")
    try:
        data: object = json.loads(
            source, parse_constant=_not_whole, parse_float=_not_whole, object_pairs_hook=_each_once
        )
    except RecursionError:
        raise BadData(_DEEP) from None
    except ValueError as error:
        raise BadData(f"This is not JSON: {error}.") from None
    return _shallow(data)


def is_shallow(data: object, depth: int = _DEPTH) -> bool:
    """Return whether JSON is nested at most `depth` levels deep, like all valid files."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return depth > 0 and all(is_shallow(part, depth - 1) for part in inner)


def _shallow(data: object) -> object:
    if not is_shallow(data):
        raise BadData(_DEEP)
    return data


def _texts(data: object) -> Iterator[str]:
    """Yield all texts in JSON that is not deep, names too."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        for part in chain(data, data.values()) if isinstance(data, dict) else data:
            yield from _texts(part)


def _is_text(text: str) -> bool:
    """Return whether the text can be stored, hashed and sent."""
    return "\0" not in text and not _HALF.search(text)


def _not_whole(number: str) -> NoReturn:
    raise ValueError(f"{shortened(number)} is not a whole number")


def _each_once(pairs: list[tuple[str, Any]]) -> Json:
    """Return an object, refusing repeated keys: of two equal ones, one reader would take the first, another the
    last.
    """
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key appears twice in one object")
    return data


def part_of(data: Json, key: str, default: Any, *, needed: bool = False) -> Any:
    """Return the JSON object under `key`; `default` if it is missing or null.

    Raises BadData for any other value and, with `needed`, if there is none.
    """
    part = data.get(key)
    if part is None and not needed:
        return default
    if not isinstance(part, dict):
        raise BadData(f'"{key}" must be a JSON object, not {shown(part)}.')
    return part
