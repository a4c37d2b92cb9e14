"""Addresses of pages, read once for all tests of a process, though each has an application of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

_BUILDERS: dict[Any, Callable[..., tuple[str, str]]] = {}
_compile = Rule._compile_builder


def share_builders() -> None:
    """Let applications share what Werkzeug compiles to build an address, most of what making one takes."""
    Rule._compile_builder = _builder  # type: ignore[method-assign, assignment]


def _builder(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    # The compiled function gets the rule when it is called; of defaults it knows the values.
    key = (rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown)
    if key not in _BUILDERS:
        _BUILDERS[key] = _compile(rule, append_unknown)
    return _BUILDERS[key]
