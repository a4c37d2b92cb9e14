"""Rules pages in emails: plain text without marks of Markdown, and boards where the web has pictures."""

from __future__ import annotations

import re

import pytest

from rules.registry import RULES
from server.game.terms import game_types
from server.game.views.example_games import EXAMPLE, TURN
from server.markdown import as_text
from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import write

PAGE = """# Chess

A game for *two* on
a `board`, **always**.

- One
- Two that is
  longer

1. First
2. Second

| piece | moves |
|-------|-------|
| rook  | straight |

    e4 e5

```diagram 1
 a  b
```
"""
TEXT = """Chess
=====

A game for two on a
“board”, always.

- One

- Two that is
  longer

1. First

2. Second

  piece  moves
  rook   straight

    e4 e5

 a  b"""


def test_rules_page_is_plain_text() -> None:
    assert as_text(PAGE, 19) == TEXT


@pytest.mark.parametrize("game_type", sorted(RULES))
def test_rules_by_email_have_boards_and_no_markdown(services: Services, ann: Player, game_type: str) -> None:
    (answer,) = write(services, ann.email, f"rules {game_type}")
    text = "\n".join(answer.text.splitlines())
    assert not re.search(r"^#+ |^```|\*\*|`|^_|_$|nabu-record", text, re.MULTILINE)
    page = game_types.rules_page(game_type)
    captions = [*TURN.finditer(page), *EXAMPLE.finditer(page)]
    assert captions
    told = text.split("\n\n")
    for caption in captions:
        words = caption[0].strip("_").split()
        place = next(number for number, block in enumerate(told) if block.split() == words)
        assert re.search(r" [.a-zA-Z]  ?[.a-zA-Z\[]| \. ", told[place + 1]), f"no board after: {told[place]}"
    assert re.search(r"^1\. Ann", text, re.MULTILINE), "the moves of the example game"
    assert "<h1>" in answer.html
    assert answer.html.count("<pre") >= len(captions) + 1
    assert "nabu-record" not in answer.html


@pytest.mark.parametrize("game_type", sorted(RULES))
def test_help_about_a_game_has_no_markdown(services: Services, ann: Player, game_type: str) -> None:
    (answer,) = write(services, ann.email, f"help {game_type}")
    assert not re.search(r"^#+ |^```|\*\*|`|^_|_$", answer.text, re.MULTILINE)
    assert "<h2>" in answer.html
