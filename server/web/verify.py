"""The page that checks a record, from this or any other server, and stores nothing."""

import threading

from flask import Blueprint, abort, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from mail.decoding import visible
from rules.errors import BadData
from rules.records.verification import Verified, read_heads, verify
from server.limits import LARGEST_RECORD_ON_WEB, MOST_CHECKED_AT_ONCE, MOST_TURNS_ON_WEB
from server.markdown import contents, titled
from server.settings import ROOT
from server.web.errors import slot_or_busy
from server.web.shared.visits import PageResponse

pages = Blueprint("verify", __name__, url_prefix="/verify")


_MANY = "Too many records are being checked at the moment; try again in a few seconds."
checking = threading.BoundedSemaphore(MOST_CHECKED_AT_ONCE)
"""Limits the number of records that are checked at the same time."""


@pages.url_value_preprocessor
def _take_records(_endpoint: str | None, _values: dict[str, object] | None) -> None:
    # This must run before the check of the form's token, which reads the whole request.
    request.max_content_length = request.max_form_memory_size = LARGEST_RECORD_ON_WEB


@pages.get("")
def ask() -> str:
    """Show the form for a record."""
    return render_template("verify.html", verdict=None, problem="", heads="")


@pages.post("")
def check() -> PageResponse:
    """Check a record and show the result."""
    heads = request.form.get("heads", "")
    try:
        verdict = _shown(_checked(_sent_record(), read_heads(heads)))
    except BadData as problem:
        return render_template("verify.html", verdict=None, problem=visible(str(problem)), heads=heads), 422
    return render_template("verify.html", verdict=verdict, problem="", heads=heads)


@pages.errorhandler(RequestEntityTooLarge)
def refuse_large(_: RequestEntityTooLarge) -> PageResponse:
    """Show the form with the largest size that it accepts."""
    problem = (
        f"This page checks records of at most {LARGEST_RECORD_ON_WEB:,} bytes. For larger ones, use "
        "“nabu verify” on your own machine."
    )
    return render_template("verify.html", verdict=None, problem=problem, heads=""), 413


@pages.get("/how")
def show_explanation() -> str:
    """Explain how games are proved, and how anyone can check them."""
    page = ROOT / "docs" / "verify.md"
    if not page.is_file():
        abort(404)
    title, text = titled(page.read_text(encoding="utf-8"))
    return render_template("verify_how.html", title=title, text=text, contents=contents(text), up=True)


def _checked(text: str, heads: tuple[str, ...]) -> Verified:
    """Check a record. Raises Busy while too many others are being checked, to keep other pages fast."""
    with slot_or_busy(checking, _MANY):
        return verify(text, heads, MOST_TURNS_ON_WEB)


def _shown(verdict: Verified) -> Verified:
    """Return the verdict without invisible characters, which a record may contain anywhere."""
    wrong = None if verdict.wrong is None else visible(verdict.wrong)
    return Verified(tuple(map(visible, verdict.checked)), wrong)


def _sent_record() -> str:
    """Return the record in the form, uploaded or pasted. Raises BadData."""
    file = request.files.get("file")
    try:
        text = file.read().decode() if file else request.form.get("record", "")
    except UnicodeDecodeError:
        raise BadData("The file is not a record: it is not UTF-8 text.") from None
    if not text.strip():
        raise BadData("There is no record: choose a file, or paste the text.")
    return text
