"""Tables in the documents that come from the code: `make tables` rewrites them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mail.incoming.webhooks.provider import ProviderSetting
from mail.incoming.webhooks.registry import PROVIDERS
from server.accounts.access import ACTS, Act
from server.actions.action import Action, Door
from server.actions.registry import ACCOUNT_ACTIONS, GAME_ACTIONS, TOURNAMENT_ACTIONS
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import Vocabulary
from server.game.notifications.services.registry import SERVICES
from server.game.notifications.services.service import NotificationService
from tests.support.folders import ROOT

README = ROOT / "README.md"
SECURITY = ROOT / "docs" / "security.md"
MAIL = ROOT / "docs" / "mail.md"
API = ROOT / "docs" / "api.md"
DEPLOY = ROOT / "deploy" / "README.md"
_HEAD = ("| write | to |", "|---|---|")
_TABLE = re.compile(r"^\| write \| to \|\n(?:\|.*\n)+", re.MULTILINE)
_QUOTED = re.compile("“(.+?)”")
_ACTS_HEAD = (
    "| act | requires | reported | logging out everywhere |",
    "|---|---|---|---|",
)
_ACTS = re.compile(r"^\| act \| requires .*\n(?:\|.*\n)+", re.MULTILINE)
_SETTINGS = re.compile(r"(?<=`NABU_MAILDIR`)(.*\n)(?:\|.*\n)*?(?=\| `NABU_SMTP_URL`)")
_WAYS = re.compile(r"(?<=^\| `pipe` )(.*\n)(?:\|.*\n)*", re.MULTILINE)
_SETUPS = re.compile(r"(^\| provider \| .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_SERVICES = re.compile(r"(^\| service \| .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_ACTIONS = re.compile(r"(^\| action \| takes .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_A_MOVE = "| your move, such as `c4` or `1 ne, 2 n` | play it |"


def rows(words: Vocabulary) -> list[str]:
    """Return a row for each usage of each command, with its synonyms."""
    return [_row(usage, what, word.synonyms) for word in words for usage, what in word.help_by_usage.items()]


def with_tables(page: str) -> str:
    """The README with its two tables as the commands have them now."""
    tables = iter([_table(rows(PLAIN)), _table([_A_MOVE, *rows(REPLY)])])
    return _TABLE.sub(lambda found: next(tables), page)


def with_acts(page: str) -> str:
    """The page about security with its table of account changes."""
    return _ACTS.sub(lambda _: "\n".join((*_ACTS_HEAD, *map(_act, ACTS))) + "\n", page)


def with_provider_settings(page: str) -> str:
    """Return the README with the settings of all providers that post emails."""
    settings = (setting for provider in PROVIDERS.values() for setting in provider.settings)
    return _with_rows(page, _SETTINGS, (f"{_variable(each)} | | {each.description}" for each in settings))


def with_provider_ways(page: str) -> str:
    """Return the page about email with these providers among the ways in."""
    rows = (f"`{each.name}` | the request | {each.believed} | 503" for each in PROVIDERS.values())
    return _with_rows(page, _WAYS, rows)


def with_provider_setups(page: str) -> str:
    """Return the page about deployment with what to set at these providers."""
    rows = (
        f"{each.title} | {each.setup} | {', '.join(map(_variable, each.settings))}"
        for each in PROVIDERS.values()
    )
    return _with_rows(page, _SETUPS, rows)


def with_services(page: str) -> str:
    """Return the page about deployment with the services in which players are notified."""
    return _with_rows(page, _SERVICES, map(_service, SERVICES.values()))


def with_actions(page: str) -> str:
    """Return the page about the API with the actions in a game."""
    places = {"/games/7/": GAME_ACTIONS, "/tournaments/3/": TOURNAMENT_ACTIONS, "/": ACCOUNT_ACTIONS}
    offered = (
        _action(place, action)
        for place, actions in places.items()
        for action in actions
        if Door.API not in action.not_offered
    )
    return _with_rows(page, _ACTIONS, offered)


GENERATED: list[tuple[Path, Callable[[str], str]]] = [
    (README, with_tables),
    (README, with_provider_settings),
    (SECURITY, with_acts),
    (MAIL, with_provider_ways),
    (DEPLOY, with_provider_setups),
    (DEPLOY, with_services),
    (API, with_actions),
]
"""Documents, and what writes the tables of each anew."""


def _service(service: NotificationService) -> str:
    address = service.help.replace(service.example, f"`{service.example}`")
    return f"{service.name} | {address} | {', '.join(map(str, service.reached_at))}"


def _action(place: str, action: Action[Any, Any]) -> str:
    """Return the row of an action, without its first and last sign."""
    fields = action.arguments.model_fields
    names = [f"`{name}`" if field.is_required() else f"[`{name}`]" for name, field in fields.items()]
    takes = ", ".join(["`turn`"] * action.in_turn + names)
    return f"`POST {place}{action.name}` | {takes} | {action.summary}"


def _with_rows(page: str, place: re.Pattern[str], rows: Iterable[str]) -> str:
    """Replace the rows at a place, which begins with a group that stays."""
    return place.sub(lambda found: found[1] + "".join(f"| {row} |\n" for row in rows), page)


def _variable(setting: ProviderSetting) -> str:
    return f"`NABU_{setting.name.upper()}`"


def _act(act: Act) -> str:
    wanted = ["a login of the last 15 minutes"] * act.needs_fresh_login + ["a current code"] * act.needs_code
    reported = "yes" if act.is_reported else "no"
    ends = "ends it" if act.ends_with_logout else "leaves it"
    return f"| {act.to_do} | {' and '.join(wanted) or act.instead} | {reported} | {ends} |"


def cells(page: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading of a page, row after row, without its head."""
    section = page.split(f"# {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _row(usage: str, what: str, synonyms: tuple[str, ...]) -> str:
    written, told = usage.replace("|", "\\|"), _QUOTED.sub(r"`\1`", what)
    otherwise = f" (or: {', '.join(f'`{synonym}`' for synonym in synonyms)})" if synonyms else ""
    return f"| `{written}`{otherwise} | {told} |"


def _table(lines: Iterable[str]) -> str:
    return "\n".join((*_HEAD, *lines)) + "\n"


if __name__ == "__main__":
    for path, written in GENERATED:
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


PAGE = MAIL.read_text(encoding="utf-8")


def cells_about_email(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of docs/mail.md."""
    return cells(PAGE, heading)
