"""A player's secret acts change nothing that others see, for all steps and as time passes.

The same steps are done in two worlds that differ only in what Ann did before, in secret. Everything that the
others see after each step must be the same to the byte until the turn is over.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from types import SimpleNamespace

import pytest

from server.commands.vocabulary import PLAIN, REPLY
from server.game.log import envelopes, randomness
from server.game.preferences.preferences import PREFERENCES
from tests.support.e2e.steps import Mail, Sight, Step, Visit, Wait
from tests.support.e2e.two_worlds import Stage
from tests.support.server.command_examples import ACCOUNT_MAILS, GAME_MAILS

pytestmark = pytest.mark.long

ISLAND: dict[str, object] = {"size": "10", "troops": "1", "sea": "0", "show-ready": "off"}
"""A game with secret orders that hides whose orders are in."""
PLACED = (Mail("Ben", "1 d4"), Mail("Ann", "A c4"), Wait(2))

IN_SECRET: dict[str, Sequence[Step]] = {
    "orders": [Mail("Ann", "A ne")],
    "orders by the web": [Visit("Ann", "POST", "/games/1/move")],
    "revised": [Mail("Ann", "A ne"), Mail("Ann", "A hold")],
    "withdrawn": [Mail("Ann", "A ne"), Mail("Ann", "withdraw")],
    "tried": [Mail("Ann", "? A ne")],
    "refused": [Mail("Ann", "A z9")],
    "a note": [Mail("Ann", "note to the north")],
}
"""Ann's acts before the others do anything."""

TOGETHER = 8
"""The largest number of commands that are tried one after another in one world."""

AND_THEN = {"Ben": (Wait(34), Wait(35)), "Ann": (Wait(69),)}
"""The times that pass after an act: one hour is left before the deadline."""

CLOCKS: dict[str, dict[str, object]] = {
    "three days": {},
    "a bank": {"time": "3d+1d"},
    "fixed moments": {"time": "tue,fri 18:00 Europe/Berlin"},
    "no weekends": {"weekends": "off"},
    "no deadline": {"time": "none"},
    "a claim": {"timeout": "claim", "misses": "1"},
    "a delay": {"delay": "10m"},
}
IN_TIME: dict[str, Sequence[Step]] = {
    "an outage": [Wait(10), Wait(3, down=True), Wait(25), Wait(20)],
    "an outage in a vacation": [Mail("Ben", "vacation 1d", plain=True), Wait(10), Wait(3, down=True), Wait(20)],
    "a digest": [
        Mail("Ben", "digest daily 18:00", plain=True),
        Mail("Ann", "say Good luck"),
        Mail("Ann", "vacation 2d", plain=True),
        Wait(10),
        Wait(30),
    ],
    "a mute": [Mail("Ben", "mute 10h"), Mail("Ann", "say Good luck"), Wait(11), Wait(30)],
    "a deadline that only Ben has moved": [
        Mail("Ben", "vacation 4d", plain=True),
        Mail("Ann", "auto vacation on", plain=True),
        *(Wait(48) for _ in range(2)),
    ],
    "a failure of mail": [Mail("Ben", "vacation 4d", plain=True), Wait(48), Wait(48)],
}
"""The events that follow, and how long the turn can last with each time control."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        # Values that are drawn at random differ, and reveal nothing.
        drawn = SimpleNamespace(token_hex=lambda size: "0" * 2 * size, token_bytes=bytes)
        for module in (envelopes, randomness):
            patch.setattr(module, "secrets", drawn)
        stage = Stage(tmp_path_factory.mktemp("stage"))
        yield stage
        stage.services.close()


def difference(plain: Sequence[Sight], secret: Sequence[Sight]) -> str:
    """Return the first thing that others see in only one world; "" if there is none before a turn ends."""
    for one, other in zip(plain, secret, strict=True):
        if one.stands != other.stands:
            return f"after {one.step} the game stands at {one.stands} or {other.stands}"
        if one.seen != other.seen:
            before, after = (list(chain(*(text.splitlines() for text in sight.seen))) for sight in (one, other))
            return "\n".join([f"after {one.step}:", *difflib.unified_diff(before, after, lineterm="", n=1)])
    return ""


def assert_hidden(stage: Stage, secret: Sequence[Step], steps: Sequence[Step]) -> None:
    assert difference(stage.run(steps), stage.run(steps, secret)) == ""


def assert_each_hidden(
    stage: Stage, secret: Sequence[Step], tried: Sequence[Step], then: Sequence[Step] = ()
) -> None:
    """Try acts one after another in the same world, and let time pass after the last.

    After an act that ends the turn, continue with the others from the beginning.
    """
    [begun] = stage.run([Wait(0)])
    while tried:
        steps = [*tried, *then]
        plain = stage.run(steps)
        assert difference(plain, stage.run(steps, secret)) == ""
        count = next((n for n, sight in enumerate(plain, 1) if sight.stands != begun.stands), len(tried))
        tried = tried[count:]


def some_each(commands: Iterable[str]) -> list[tuple[str, ...]]:
    """Yield commands to try together: not neighbours, as one often undoes or repeats the other."""
    commands = tuple(commands)
    count = -(-len(commands) // TOGETHER)
    return [commands[number::count] for number in range(count)]


@pytest.fixture
def island(stage: Stage) -> Stage:
    stage.begin("nelaxtam", ISLAND, PLACED)
    return stage


@pytest.mark.parametrize("who", ["Ben", "Ann"])
@pytest.mark.parametrize("commands", some_each(REPLY.help_by_usage()))
def test_replies_are_answered_the_same_whatever_is_secret(
    island: Stage, who: str, commands: Sequence[str]
) -> None:
    mails = [Mail(who, GAME_MAILS[command]) for command in commands]
    assert_each_hidden(island, IN_SECRET["orders"], mails, AND_THEN[who])


@pytest.mark.parametrize("who", ["Ben", "Ann"])
@pytest.mark.parametrize("commands", some_each(PLAIN.help_by_usage()))
def test_emails_to_the_plain_address_are_answered_the_same_whatever_is_secret(
    island: Stage, who: str, commands: Sequence[str]
) -> None:
    mails = [Mail(who, ACCOUNT_MAILS[command], plain=True) for command in commands]
    assert_each_hidden(island, IN_SECRET["orders"], mails, AND_THEN[who])


def test_other_emails_are_the_same_whatever_is_secret(island: Stage) -> None:
    others = [
        Mail("Ben", "1 z9"),
        Mail("Ben", "hello"),
        Mail("Ben", ""),
        Mail("Ben", "hold", turns_ago=1),
        Mail("Ben", "hold", turns_ago=-1),
        Mail("Ben", "hold", sender="eve@example.org"),
        Mail("Ann", "hold", sender="eve@example.org"),
        Mail("Cleo", "games", plain=True),
    ]
    assert_each_hidden(island, IN_SECRET["orders"], others, AND_THEN["Ann"])


def addresses(stage: Stage) -> Iterator[tuple[str, str]]:
    """Return every page and form of the web, with its method and URL."""
    values = {
        "number": 1,
        "place": 1,
        "turn": 1,
        "variation": 1,
        "which": 1,
        "game_type": "nelaxtam",
        "name": "Ann",
        "secret": "x",
        "filename": "style.css",
        "size": 192,
        "seats": 2,
        "provider": "postmark",
    }
    names = [preference.name for preference in PREFERENCES]
    routes = stage.app.url_map.bind("127.0.0.1")
    for rule in stage.app.url_map.iter_rules():
        for method in sorted({"GET", "POST"}.intersection(rule.methods or ())):
            for what in names if "what" in rule.arguments else ("",):
                given = {
                    name: value for name, value in {**values, "what": what}.items() if name in rule.arguments
                }
                yield method, routes.build(rule.endpoint, given, method)


@pytest.mark.parametrize("who", ["Ben", "Cleo", "Olga", "nobody"])
def test_pages_are_the_same_whatever_is_secret(island: Stage, who: str) -> None:
    steps = [Visit(who, method, address) for method, address in addresses(island) if method == "GET"]
    assert_hidden(island, IN_SECRET["orders"], steps)


@pytest.mark.first
@pytest.mark.parametrize("who", ["Ben", "Ann", "Cleo"])
def test_forms_are_answered_the_same_whatever_is_secret(island: Stage, who: str) -> None:
    forms = [address for method, address in addresses(island) if method == "POST"]
    if who == "Cleo":
        forms = [address for address in forms if address.startswith("/games/1/")]
    else:
        forms = [address for address in forms if not address.endswith("/move")]
    # Visitors who have logged out can do nothing more.
    forms.sort(key=lambda address: address.startswith("/logout"))
    for some in some_each(forms):
        assert_each_hidden(island, IN_SECRET["orders"], [Visit(who, "POST", address) for address in some])


@pytest.mark.parametrize("secret", IN_SECRET)
def test_secret_actions_change_nothing_for_others(island: Stage, secret: str) -> None:
    steps: list[Step] = [Mail("Ben", "show"), Mail("Ben", "give 1d"), *AND_THEN["Ben"]]
    assert_hidden(island, IN_SECRET[secret], steps)


@pytest.mark.parametrize(
    ("meanwhile", "clock"),
    [pair for number, pair in enumerate(product(IN_TIME, CLOCKS)) if number % 3 == 0],
)
def test_clocks_are_the_same_whatever_is_secret(stage: Stage, clock: str, meanwhile: str) -> None:
    """Covers a third of all pairs: each event is tested with two or three of the seven clocks."""
    stage.begin("nelaxtam", {**ISLAND, **CLOCKS[clock]}, PLACED, mail=meanwhile != "a failure of mail")
    assert_hidden(stage, IN_SECRET["orders"], IN_TIME[meanwhile])


@pytest.mark.parametrize("commands", some_each(REPLY.help_by_usage()))
def test_delay_does_not_show_that_all_orders_are_in(stage: Stage, commands: Sequence[str]) -> None:
    stage.begin("nelaxtam", {**ISLAND, "delay": "1h"}, [*PLACED, Mail("Ben", "1 hold")])
    mails = [Mail("Ben", GAME_MAILS[command]) for command in commands]
    assert_each_hidden(stage, IN_SECRET["orders"], mails, [Wait(0.5, down="show" in commands)])


CONDITIONS: dict[str, Sequence[Step]] = {
    "conditional moves": [Mail("Ann", "if e5 then d4")],
    "dropped again": [Mail("Ann", "if e5 then d4"), Mail("Ann", "if off")],
    "refused": [Mail("Ann", "if e9 then d4")],
    "a note": [Mail("Ann", "note to the corner")],
}


@pytest.mark.parametrize("commands", some_each([*REPLY.help_by_usage(), "a move"]))
def test_conditional_moves_change_nothing_for_others(stage: Stage, commands: Sequence[str]) -> None:
    stage.begin("nebuchadnezzar", {"size": "5"}, [Wait(2)])
    mails = [Mail("Ben", {**GAME_MAILS, "a move": "c3"}[command]) for command in commands]
    assert_each_hidden(stage, CONDITIONS["conditional moves"], mails, AND_THEN["Ann"])


@pytest.mark.parametrize("secret", CONDITIONS)
def test_aborting_a_game_reveals_no_secrets(stage: Stage, secret: str) -> None:
    stage.begin("nebuchadnezzar", {"size": "5", "time": "none"}, [Wait(2)])
    assert_hidden(stage, CONDITIONS[secret], [Wait(24 * 30 - 3), Wait(2)])


@pytest.mark.parametrize("secret", ["orders by the web", "revised"])
def test_visible_readiness_shows_nothing_else(stage: Stage, secret: str) -> None:
    stage.begin("nelaxtam", {**ISLAND, "show-ready": "on"}, PLACED)
    commands = ["show", "history", "moves", "verify", "give TIME", "mute TIME"]
    steps: list[Step] = [*(Mail("Ben", GAME_MAILS[command]) for command in commands), *AND_THEN["Ann"]]
    seen = stage.run(steps, IN_SECRET["orders"])
    assert difference(seen, stage.run(steps, IN_SECRET[secret])) == ""
    assert difference(seen, stage.run(steps)), "this would find a difference"


@pytest.mark.parametrize("orders", ["A hold", "a S", "end", f"A{' ' * 40}NE."])
def test_copies_of_the_database_do_not_tell_orders_apart(island: Stage, orders: str) -> None:
    one, other = (island.stored([Mail("Ann", text)]) for text in ("A ne", orders))
    drawn = re.compile(r"[0-9a-f]{64}|[0-9a-f]{24}")
    for table, rows in one.items():
        assert [drawn.sub("", row) for row in rows] == [drawn.sub("", row) for row in other[table]], table
