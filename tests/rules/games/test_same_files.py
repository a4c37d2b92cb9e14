"""Files of the same name have the same purpose in all games, so that games can be compared."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

from rules.game import Rules
from rules.registry import RULES


def module(name: str, file: str) -> ModuleType:
    """Return a module of a game."""
    return importlib.import_module(f"rules.games.{name}.{file}")


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("board", ()),
        ("position", ("Position", "SEATS", "write_position", "read_position")),
        ("notation", ("read_move", "write_move")),
        ("picture", ("picture", "story")),
        ("move_builder", ()),
        ("estimate", ("estimate",)),
        ("playout", ("playout",)),
    ],
)
@pytest.mark.parametrize("name", RULES)
def test_each_game_has_the_same_files(name: str, file: str, names: tuple[str, ...]) -> None:
    of_its_own = vars(module(name, file))
    for expected in names:
        assert expected in of_its_own
        assert getattr(of_its_own[expected], "__module__", module(name, file).__name__).endswith(f".{file}")


@pytest.mark.parametrize("name", RULES)
def test_each_game_is_defined_in_its_rules_module(name: str) -> None:
    found = [each for each in vars(module(name, "rules")).values() if isinstance(each, type)]
    assert [each for each in found if issubclass(each, Rules) and each is not Rules] == [type(RULES[name])]


def test_no_game_imports_another() -> None:
    for name in RULES:
        for file in (
            "rules",
            "board",
            "position",
            "notation",
            "picture",
            "move_builder",
            "estimate",
            "playout",
        ):
            known = {getattr(each, "__module__", "") for each in vars(module(name, file)).values()}
            assert not [each for each in known if each.startswith("rules.games.") and f".{name}." not in each]
