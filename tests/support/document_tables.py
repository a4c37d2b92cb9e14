"""The parts of the documents that are generated from the code: `make tables` writes them again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from click import Command, Context, Group
from pydantic.fields import FieldInfo

from mail.incoming.webhooks.provider import ProviderSetting
from mail.incoming.webhooks.registry import PROVIDERS
from server.accounts.access import ACTS, Act
from server.actions.action import Action, Door
from server.actions.registry import ACCOUNT_ACTIONS, GAME_ACTIONS, TOURNAMENT_ACTIONS
from server.cli import nabu
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import Topic, Word
from server.game.notifications.services import SERVICES, NotificationService
from server.settings import Settings
from server.settings.errors import example, variable
from tests.support.folders import ROOT

COMMANDS = ROOT / "docs" / "commands.md"
SETTINGS = ROOT / "docs" / "settings.md"
COMMAND_LINE = ROOT / "docs" / "command-line.md"
SECURITY = ROOT / "docs" / "security.md"
MAIL = ROOT / "docs" / "mail.md"
API = ROOT / "docs" / "api.md"
DEPLOY = ROOT / "deploy" / "README.md"
_TOPICS = re.compile(r"(^<!-- commands -->\n)(?:.*\n)*?(?=<!-- end of commands -->)", re.MULTILINE)
_TOPIC_HEAD = ("| command | example | effect | other spellings |", "|---|---|---|---|")
_QUOTED = re.compile("“(.+?)”")
_ACTS_HEAD = (
    "| act | requires | reported | logging out everywhere |",
    "|---|---|---|---|",
)
_ACTS = re.compile(r"^\| act \| requires .*\n(?:\|.*\n)+", re.MULTILINE)
_SETTINGS = re.compile(r"(^\| variable \| .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_SHELL = re.compile(r"(^<!-- command line -->\n)(?:.*\n)*", re.MULTILINE)
_SHELL_WIDTH = 96
_WAYS = re.compile(r"(?<=^\| `pipe` )(.*\n)(?:\|.*\n)*", re.MULTILINE)
_SETUPS = re.compile(r"(^\| provider \| .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_SERVICES = re.compile(r"(^\| service \| .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_ACTIONS = re.compile(r"(^\| action \| takes .*\n.*\n)(?:\|.*\n)+", re.MULTILINE)
_A_MOVE = "| your move | `c4` | play it; orders, one per line or with commas: `1 ne, 2 n` | |"


def rows(words: Iterable[Word]) -> list[str]:
    """Return the rows of commands in the tables of docs/commands.md."""
    return [row for word in words for row in _command(word, word.help_by_usage)]


def with_commands(page: str) -> str:
    """Return the page about commands with a table of the commands of each topic."""
    words = {id(word): word for word in (*PLAIN, *REPLY)}.values()
    parts = [_topic(topic, sorted(words, key=lambda word: word.topic is not topic)) for topic in Topic]
    return _TOPICS.sub(lambda found: f"{found[1]}{''.join(parts)}\n", page)


def with_settings(page: str) -> str:
    """Return the page about settings with all settings."""
    return _with_rows(page, _SETTINGS, (_setting(*each) for each in Settings.model_fields.items()))


def with_command_line(page: str) -> str:
    """Return the page about the command line with the help of each command."""
    context = Context(nabu, info_name="nabu", **nabu.context_settings)
    return _SHELL.sub(lambda found: found[1] + "".join(_helps(nabu, context)), page)


def with_acts(page: str) -> str:
    """The page about security with its table of account changes."""
    return _ACTS.sub(lambda _: "\n".join((*_ACTS_HEAD, *map(_act, ACTS))) + "\n", page)


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
    (COMMANDS, with_commands),
    (SETTINGS, with_settings),
    (COMMAND_LINE, with_command_line),
    (SECURITY, with_acts),
    (MAIL, with_provider_ways),
    (DEPLOY, with_provider_setups),
    (DEPLOY, with_services),
    (API, with_actions),
]
"""Documents, and what writes the tables of each again."""


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


def _topic(topic: Topic, words: Iterable[Word]) -> str:
    """Return the section of a topic."""
    title = topic.covers[0].upper() + topic.covers[1:]
    first = [_A_MOVE] if topic is Topic.PLAYING else []
    found = [row for word in words for row in _command(word, word.help_about(topic))]
    return "\n".join((f"\n## {title}\n", *_TOPIC_HEAD, *first, *found)) + "\n"


def _command(word: Word, forms: dict[str, str]) -> Iterator[str]:
    """Yield a row for each of these forms of a command; its main one has its example and its synonyms."""
    spellings = ", ".join(f"`{synonym}`" for synonym in word.synonyms)
    for usage, effect in forms.items():
        example, others = (f"`{word.example}`", spellings) if usage == word.usage else ("", "")
        yield _cells(f"`{usage}`", example, _QUOTED.sub(r"`\1`", effect), others)


def _setting(name: str, field: FieldInfo) -> str:
    """Return the row of a setting, without its first and last sign."""
    default = "must be set" if field.is_required() else _default(field.default)
    shown = f"`{example(field)}`"
    cells = (f"`{variable(name)}`", default, "" if shown == default else shown, field.description or "")
    return _cells(*cells)[2:-2]


def _default(value: object) -> str:
    """Return the cell of a default value, which is empty if there is none."""
    if value == "":
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _helps(command: Command, context: Context) -> Iterator[str]:
    """Yield the section of a command and those of its parts."""
    context.terminal_width = _SHELL_WIDTH
    command._help_option = None  # click keeps the one of the first context, which may be another
    yield f"\n## {context.command_path}\n\n```\n{command.get_help(context)}\n```\n"
    if isinstance(command, Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            if part is not None and not part.hidden:
                yield from _helps(part, Context(part, info_name=name, parent=context))


def _cells(*cells: str) -> str:
    """Return a row of a table."""
    return "|" + "".join(f" {cell.replace('|', chr(92) + '|')} |" if cell else " |" for cell in cells)


def cells_about_email(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of docs/mail.md."""
    return cells(MAIL.read_text(encoding="utf-8"), heading)


if __name__ == "__main__":
    for path, written in GENERATED:
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
