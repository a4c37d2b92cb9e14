"""All game types, one line each."""

from __future__ import annotations

from typing import Any

from rules.errors import BadData
from rules.game import Rules
from rules.games.nardshir.rules import Nardshir
from rules.games.nebuchadnezzar.rules import Nebuchadnezzar
from rules.games.nelaxtam.rules import Nelaxtam
from rules.games.nexus.rules import Nexus
from rules.games.nibble.rules import Nibble
from rules.sentences import quoted

RULES: dict[str, Rules[Any, Any]] = {
    rules.name: rules
    for rules in (
        Nardshir(),
        Nebuchadnezzar(),
        Nelaxtam(),
        Nexus(),
        Nibble(),
    )
}
"""The rules by game type."""


def rules_named(name: str) -> Rules[Any, Any]:
    """Return the rules of a game type, such as "nibble". Raises BadData, with all names, for any other name."""
    if name not in RULES:
        raise BadData(f"There is no game called {quoted(name)}. Games: {', '.join(sorted(RULES))}.")
    return RULES[name]
