"""Checking a record, from here or from anywhere: nothing of it is kept."""

from flask import Blueprint, abort, render_template, request

from rules.game import BadData
from rules.verification import read_heads, verify
from server.settings import ROOT

pages = Blueprint("verify", __name__, url_prefix="/verify")

LARGEST_RECORD = 500_000
"""Bytes: several times the longest game. What is larger would not be read in memory alone."""

_Page = str | tuple[str, int]


@pages.url_value_preprocessor
def _take_records(_endpoint: str | None, _values: dict[str, object] | None) -> None:
    # This comes before the token of the form is looked for, which reads the whole request.
    request.max_content_length = request.max_form_memory_size = LARGEST_RECORD


@pages.get("")
def ask() -> str:
    """The form for a record."""
    return render_template("verify.html", verdict=None, problem="", heads="")


@pages.post("")
def check() -> _Page:
    """What a record proves."""
    heads = request.form.get("heads", "")
    try:
        verdict = verify(_sent_record(), read_heads(heads))
    except BadData as problem:
        return render_template("verify.html", verdict=None, problem=str(problem), heads=heads), 422
    return render_template("verify.html", verdict=verdict, problem="", heads=heads)


@pages.get("/how")
def how() -> str:
    """How games are proved, and how anybody can check them."""
    page = ROOT / "docs" / "verify.md"
    if not page.is_file():
        abort(404)
    return render_template("verify_how.html", page=page.read_text(encoding="utf-8"))


def _sent_record() -> str:
    """The record in the form, as a file or pasted. Raises BadData."""
    file = request.files.get("file")
    try:
        text = file.read().decode() if file else request.form.get("record", "")
    except UnicodeDecodeError:
        raise BadData("The file is not text in UTF-8, as a record is.") from None
    if not text.strip():
        raise BadData("There is no record: choose its file, or paste it.")
    return text
