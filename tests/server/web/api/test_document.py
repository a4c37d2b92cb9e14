"""The API document lists every URL and the current limits."""

from __future__ import annotations

import re

from flask import Flask

from server.limits import LONGEST_KEY, MOST_STREAMS, MOST_STREAMS_EACH, MOST_STREAMS_OF_NETWORK, MOST_TOKENS
from server.settings import Settings
from server.web.api.errors import _NAMES
from server.web.shared.streams import Streams
from tests.support.folders import DOCS

PAGE = (DOCS / "api.md").read_text(encoding="utf-8")


def test_document_lists_every_address(app: Flask) -> None:
    found = {
        f"{method} {address.replace('<int:number>', '3' if 'tournaments' in address else '7')}"
        for rule in app.url_map.iter_rules()
        for address in [rule.rule.removeprefix("/api/v1")]
        for method in (rule.methods or set()) & {"GET", "POST"}
        if rule.endpoint.startswith("api.")
    }
    table = PAGE.partition("## Endpoints")[2].partition("\n## ")[0]
    told = {"GET /openapi.json"}
    for first, more in re.findall(r"^\| `((?:GET|POST) [^`?]+)[^`]*`((?:, `\w+`)*) \|", table, re.MULTILINE):
        told.add(first)
        told.update(re.sub(r"\w+$", name, first) for name in re.findall(r"`(\w+)`", more))
    assert told == found


def test_document_lists_every_sort_of_problem() -> None:
    for name in {*_NAMES.values(), "refused"}:
        assert f"`{name}`" in PAGE


def test_document_states_the_limits() -> None:
    page = " ".join(PAGE.split())
    words = {2: "two", 10: "ten"}
    assert f"You can have {words[MOST_TOKENS]} tokens." in page
    assert f"You can have {words[MOST_STREAMS_EACH]} streams open" in page
    assert f"A process allows {MOST_STREAMS} streams, {MOST_STREAMS_OF_NETWORK} from one network" in page
    assert f"A token allows {Settings.model_fields['api_rate'].default} requests a minute" in page
    assert f"up to {LONGEST_KEY} characters" in page
    streams = Streams()
    assert (streams.lasts, streams.beat, streams.look) == (300, 15, 1), "five minutes, fifteen seconds, one"
