"""Fast tests: no waiting for disks; SQL, templates and addresses of pages are compiled once for all tests."""

from __future__ import annotations

from copy import copy
from types import CodeType, MethodType
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from werkzeug.routing import BaseConverter, Map, Rule

from server.store import engines

prepare_as_shipped = engines._prepare_sqlite
"""The settings of each connection as shipped: above all, a commit waits for the disk."""


def do_not_wait_for_disks() -> None:
    """Let commits to SQLite return as soon as the system has them: nothing is lost if a process is killed."""
    engines._prepare_sqlite = _prepare  # type: ignore[assignment]


def _prepare(patience: float, connection: Any, record: object) -> None:
    prepare_as_shipped(patience, connection, record)
    connection.execute("PRAGMA synchronous = OFF")


_COMPILED: dict[Any, Any] = {}


def share_compiled() -> None:
    """Let engines use statements that another one has compiled, as a long-running engine uses its own.

    Compiled statements are cached by dialect, and each engine has a new one: those of one sort become equal.
    """
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = _is_of_one_sort  # type: ignore[method-assign]
        dialect.__hash__ = _hash_of_sort  # type: ignore[method-assign, assignment]
    engines.create_engine = _create_engine  # type: ignore[attr-defined, assignment]


def _create_engine(url: str, **options: Any) -> Engine:
    return create_engine(url, execution_options={"compiled_cache": _COMPILED}, **options)


def _is_of_one_sort(dialect: object, other: object) -> bool:
    return type(dialect) is type(other)


def _hash_of_sort(dialect: object) -> int:
    return hash(type(dialect))


class Compiled(BytecodeCache):
    """Keeps in memory what templates are compiled to, by the name and the text of the template."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket with its cached content, if there is any."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the content of the bucket."""
        self._kept[bucket.key, bucket.checksum] = bucket.code


_RULES: dict[Any, dict[str, Any]] = {}
_SET_BY_COMPILE = {"_parts", "_trace", "_converters", "_build", "_build_unknown"}
"""The attributes of a rule that Werkzeug sets when it compiles it; it also adds to `arguments`."""
_compile = Rule.compile


def share_rules() -> None:
    """Let applications share what Werkzeug compiles a rule for addresses to, most of what making one takes."""
    Rule.compile = _copy_compiled  # type: ignore[method-assign, assignment]


def _copy_compiled(rule: Rule) -> None:
    assert rule.map is not None
    # What is compiled follows from these: converters read no map, and functions get the rule when called.
    known = (rule.map.host_matching, frozenset(rule.map.converters.items()))
    key = (rule.rule, rule.host, rule.subdomain, rule.merge_slashes, repr(rule.defaults), *known)
    if key not in _RULES:
        _RULES[key] = _compiled(rule)
        return
    copied = _RULES[key]
    rule._parts, rule._trace = copied["_parts"], copied["_trace"]
    rule._converters = _with_map(copied["_converters"], rule.map)
    rule.arguments |= copied["arguments"]
    rule._build = MethodType(copied["_build"], rule)
    rule._build_unknown = MethodType(copied["_build_unknown"], rule)


def _compiled(rule: Rule) -> dict[str, Any]:
    """Compile a rule; return what another rule needs of it, without its application."""
    before = dict(vars(rule))
    _compile(rule)
    after = vars(rule)
    changed = {name for name in after if name not in before or after[name] is not before[name]}
    assert changed == _SET_BY_COMPILE, "this version of Werkzeug compiles rules to something else"
    return {
        **{name: after[name] for name in ("_parts", "_trace")},
        **{name: after[name].__func__ for name in ("_build", "_build_unknown")},
        "_converters": _with_map(rule._converters, None),
        "arguments": frozenset(rule.arguments),
    }


def _with_map(converters: dict[str, BaseConverter], map_: Map | None) -> dict[str, BaseConverter]:
    """Return copies of converters that belong to another map of addresses."""
    copies = {name: copy(each) for name, each in converters.items()}
    for each in copies.values():
        each.map = map_  # type: ignore[assignment]
    return copies
