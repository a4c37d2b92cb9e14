"""The prose of the project: docstrings, comments and texts of Python files, templates and documents."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.folders import ROOT

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_TEMPLATE_CODE = re.compile(r"\{[%#{].*?[%#}]\}|<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Passage:
    """A piece of prose: a docstring, a comment, a text in the code, or a whole document without its code."""

    file: str
    line: int
    """The line where it begins."""
    text: str
    is_docstring: bool = False

    def place_of(self, position: int) -> str:
        """Return the file and the line of a position in the text."""
        return f"{self.file}:{self.line + self.text.count(chr(10), 0, position)}"


def passages(path: Path) -> Iterator[Passage]:
    """Yield the prose of a file of the project."""
    source, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    if path.suffix == ".py":
        yield from _of_python(source, name)
    elif path.suffix == ".md":
        yield Passage(name, 1, _CODE.sub(_blank, source))
    else:
        yield Passage(name, 1, _TEMPLATE_CODE.sub(_blank, source))


def _of_python(source: str, name: str) -> Iterator[Passage]:
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = {
        node.body[0].value
        for node in nodes
        if isinstance(node, _DOCUMENTED)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") > 1:
            yield Passage(name, node.lineno, _CODE.sub(_blank, node.value), node in docstrings)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(name, token.start[0], _CODE.sub(_blank, token.string.lstrip("# ")))


def _blank(code: re.Match[str]) -> str:
    """Return the lines of a piece of code, empty, so that the lines after it keep their numbers."""
    return "X" + "\n" * code[0].count("\n")
