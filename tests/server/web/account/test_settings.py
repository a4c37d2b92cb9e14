"""The form for the settings of a player."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from server.accounts import players
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player, Relation
from tests.support.server.players import add_player
from tests.support.web.client import Browser, readable

_FORM = re.compile(r'<form method="post" action="/settings">.*?</form>', re.S)
_INPUT = re.compile(r'<input (?=[^>]*name="([^"]+)")(?=[^>]*value="([^"]*)")([^>]*)>')
_LIST = re.compile(r'<select [^>]*name="([^"]+)".*?<option value="([^"]*)" selected', re.S)


def filled(page: str) -> dict[str, Any]:
    """Return the values that a browser would send if the button was pressed without changes."""
    form = _FORM.search(page)
    assert form is not None
    fields: dict[str, Any] = {}
    for name, value, rest in _INPUT.findall(form[0]):
        if "checkbox" not in rest or "checked" in rest:
            fields.setdefault(name, []).append(unescape(value))
    return fields | {name: [unescape(value)] for name, value in _LIST.findall(form[0])}


def stored(services: Services, player: Player) -> Player:
    with reading(services.engine) as session:
        return session.get_one(Player, player.id)


def save(browser: Browser, fields: dict[str, Any]) -> str:
    """Press the button, and return the text of the page."""
    fields.pop("csrf_token", None)
    answer = browser.send("/settings", **fields)
    return readable(answer) if answer.status_code == 422 else browser.text("/settings")


def test_every_field_and_every_choice_has_words(browser: Browser) -> None:
    form = _FORM.search(browser.get("/settings").text)
    assert form is not None
    words = re.findall(r"<(label|legend|option)\b([^>]*)>(.*?)</\1>", form[0], re.S)
    assert {tag for tag, _, _ in words} == {"label", "legend", "option"}
    assert [rest for _, rest, text in words if not re.sub("<[^>]*>", "", text).strip()] == []


def test_unchanged_form_changes_nothing(services: Services, browser: Browser, ann: Player) -> None:
    before = repr(stored(services, ann))
    assert "No settings were changed." in save(browser, filled(browser.get("/settings").text))
    assert repr(stored(services, ann)) == before


def test_all_changed_settings_are_stored_together(services: Services, browser: Browser, ann: Player) -> None:
    fields = filled(browser.get("/settings").text)
    fields |= {"name": "Anna", "zone": "asia/tokyo", "digest": "daily 7:30", "forced": "on", "subject": "state"}
    fields["reminders"] = ["none", "half", "hour"]
    said = save(browser, fields)
    for sentence in (
        "Your name is now Anna.",
        "Your time zone is Asia/Tokyo",
        "when half of your time is gone and an hour before the deadline",
        "When you have only one legal move",
    ):
        assert sentence in said
    assert "vacation will only be used" not in said, "it was not changed"
    player = stored(services, ann)
    assert (player.name, player.zone, player.digest) == ("Anna", "Asia/Tokyo", "daily 07:30")
    assert (player.reminders, player.forced_moves) == ("half, hour", True)
    assert player.choices == {"subject": "state"}


def test_unticked_boxes_count_as_none(services: Services, browser: Browser, ann: Player) -> None:
    fields = filled(browser.get("/settings").text)
    assert fields["reminders"] == ["none", "half", "day"]
    save(browser, fields | {"reminders": ["none"]})
    assert stored(services, ann).reminders == "none"
    assert filled(browser.get("/settings").text)["reminders"] == ["none"]


def test_each_error_is_shown_at_its_field_and_the_input_kept(
    services: Services, browser: Browser, ann: Player, ben: Player
) -> None:
    before = repr(stored(services, ann))
    fields = filled(browser.get("/settings").text)
    fields |= {"name": "Ben", "zone": "berln", "digest": "daily 7:30", "forced": "on"}
    fields.pop("csrf_token")
    answer = browser.send("/settings", **fields)
    assert answer.status_code == 422
    for name, sentence in (("name", "The name Ben is taken."), ("zone", "Did you mean Europe/Berlin or")):
        problem = re.search(rf'id="{name}-problem">([^<]*)<', answer.text)
        assert problem is not None
        assert sentence in problem[1]
    assert 'id="digest-problem"' not in answer.text
    assert repr(stored(services, ann)) == before
    again = filled(answer.text) | {"name": "Anna", "zone": "Europe/Berlin"}
    assert "Your name is now Anna." in save(browser, again)
    player = stored(services, ann)
    assert (player.zone, player.digest, player.forced_moves) == ("Europe/Berlin", "daily 07:30", True)


def test_outdated_page_changes_only_the_changed_fields(
    services: Services, browser: Browser, ann: Player
) -> None:
    old = filled(browser.get("/settings").text)
    with writing(services.engine) as session:
        session.get_one(Player, ann.id).zone = "Asia/Tokyo"
    save(browser, old | {"name": "Anna"})
    player = stored(services, ann)
    assert (player.name, player.zone) == ("Anna", "Asia/Tokyo")


def keep_away(services: Services, player: Player, count: int) -> list[str]:
    """Add players of whom the player blocks every second one and ignores the others; return their names."""
    names = [f"Guest {number}" for number in range(10, 10 + count)]
    others = [add_player(services, f"{name.replace(' ', '.')}@example.org", name) for name in names]
    with writing(services.engine) as session:
        session.add_all(
            Relation(
                player_id=players.identity(player), other_id=players.identity(other), blocked=place % 2 == 0
            )
            for place, other in enumerate(others)
        )
    return names


def listed(page: str) -> list[str]:
    """Return the names in the list of blocked and ignored players."""
    return re.findall(r'<a href="/player/[^"]+">(Guest \d+)</a>', page)


def press(browser: Browser, page: str, words: str, **written: str) -> str:
    """Press the button with these words, with `written` in the fields; return the address that follows."""
    for form in re.findall(r"<form .*?</form>", page, re.S):
        for address, label in re.findall(r'<button formaction="([^"]+)">(.*?)</button>', form):
            if re.sub(r"<[^>]+>", "", label) == words:
                fields = {name: value for name, value, _ in _INPUT.findall(form) if name != "csrf_token"}
                return str(browser.send(address, **fields | written).location)
    raise AssertionError(f"no button {words}")


def test_blocked_and_ignored_players_are_listed_in_pages(
    browser: Browser, services: Services, ann: Player
) -> None:
    names = keep_away(services, ann, 26)
    address, found, pages = "/settings", list[str](), 0
    while address and pages < 5:
        page = browser.get(address).text
        found += listed(page)
        later = re.findall(r'href="(/settings\?page=\d+)#kept-away">More', page)
        address, pages = (later[0] if later else ""), pages + 1
    assert found == names
    assert pages == 3


def test_page_of_blocked_players_is_shown_again_after_a_change(
    browser: Browser, services: Services, ann: Player
) -> None:
    names = keep_away(services, ann, 26)
    last = "/settings?page=3#kept-away"
    page = browser.get(last).text
    assert press(browser, page, f"Unblock {names[24]}") == last
    page = browser.get(last).text
    assert listed(page) == names[25:]
    assert press(browser, page, f"Stop ignoring {names[25]}") == last
    page = browser.get(last).text
    assert listed(page) == names[12:24], "the last page is the second one now"
    assert ">More<" not in page
    assert press(browser, page, f"Unblock {names[12]}") == last.replace("3", "2")


def test_players_on_other_pages_can_be_unblocked_by_name(
    browser: Browser, services: Services, ann: Player
) -> None:
    names = keep_away(services, ann, 16)
    page = browser.get("/settings").text
    for words, name in (("Unblock", names[14]), ("Stop ignoring", names[15])):
        assert press(browser, page, words, name=name) == "/settings#kept-away"
    assert listed(browser.get("/settings?page=2").text) == names[12:14]


def test_sections_with_errors_are_open(browser: Browser) -> None:
    def opened(page: str) -> list[str]:
        return re.findall(r'<details class="part" open>\s*<summary><h3>([^<]*)<', page)

    assert opened(browser.get("/settings").text) == ["Profile"]
    assert opened(browser.send("/settings", zone="berln", digest="?").text) == [
        "Profile",
        "Clock",
        "Emails and notifications",
    ]


def test_addresses_of_services_are_examples_on_request(browser: Browser) -> None:
    page = browser.get("/settings").text
    examples = re.search(r"<summary>Addresses of each service</summary>(.*?)</details>", page, re.S)
    assert examples is not None
    assert "<dt>ntfy</dt>" in examples[1]
    assert "ntfys://" not in page.replace(examples[0], "")
