"""Checking a record, from here or from anywhere; nothing of it is kept."""

import threading

from flask import Blueprint, abort, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from mail.decoding import visible
from rules.errors import BadData
from rules.records.verification import Verified, read_heads, verify
from server.limits import LARGEST_RECORD_ON_WEB, MOST_CHECKED_AT_ONCE, MOST_TURNS_ON_WEB
from server.settings import ROOT
from server.web.errors import Busy
from server.web.shared.visits import PageResponse

pages = Blueprint("verify", __name__, url_prefix="/verify")


checking = threading.BoundedSemaphore(MOST_CHECKED_AT_ONCE)
"""Held by each record that is being checked."""


@pages.url_value_preprocessor
def _take_records(_endpoint: str | None, _values: dict[str, object] | None) -> None:
    # This comes before the form's token is looked for, which reads the whole request.
    request.max_content_length = request.max_form_memory_size = LARGEST_RECORD_ON_WEB


@pages.get("")
def ask() -> str:
    """The form for a record."""
    return render_template("verify.html", verdict=None, problem="", heads="")


@pages.post("")
def check() -> PageResponse:
    """What a record proves."""
    heads = request.form.get("heads", "")
    try:
        verdict = _shown(_checked(_sent_record(), read_heads(heads)))
    except BadData as problem:
        return render_template("verify.html", verdict=None, problem=visible(str(problem)), heads=heads), 422
    return render_template("verify.html", verdict=verdict, problem="", heads=heads)


@pages.errorhandler(RequestEntityTooLarge)
def refuse_large(_: RequestEntityTooLarge) -> PageResponse:
    """The form, with how much can be checked here."""
    problem = (
        f"Here, a record can have at most {LARGEST_RECORD_ON_WEB:,} bytes. On your own machine, “nabu verify” "
        "checks larger ones."
    )
    return render_template("verify.html", verdict=None, problem=problem, heads=""), 413


@pages.get("/how")
def show_explanation() -> str:
    """How games are proved, and how anyone can check them."""
    page = ROOT / "docs" / "verify.md"
    if not page.is_file():
        abort(404)
    return render_template("verify_how.html", page=page.read_text(encoding="utf-8"))


def _checked(text: str, heads: tuple[str, ...]) -> Verified:
    """What a record proves. Only some are checked at once, so that all other pages are answered meanwhile.

    Raises Busy.
    """
    if not checking.acquire(blocking=False):
        raise Busy("Other people are having records checked just now; try again in a few seconds.")
    try:
        return verify(text, heads, MOST_TURNS_ON_WEB)
    finally:
        checking.release()


def _shown(verdict: Verified) -> Verified:
    """The verdict as it can be shown: a record is checked to the byte, and may name anybody anything."""
    wrong = None if verdict.wrong is None else visible(verdict.wrong)
    return Verified(tuple(map(visible, verdict.checked)), wrong)


def _sent_record() -> str:
    """The record in the form, as a file or pasted. Raises BadData."""
    file = request.files.get("file")
    try:
        text = file.read().decode() if file else request.form.get("record", "")
    except UnicodeDecodeError:
        raise BadData("The file is not UTF-8 text, as a record must be.") from None
    if not text.strip():
        raise BadData("There is no record: choose a file, or paste one.")
    return text
