"""Rules pages for emails: boards are text below the paragraphs about them, the sample game is a list."""

import re

from rules.drawing import ascii_board
from server.game.terms import game_types
from server.game.views.example_games import EXAMPLE, TURN, WorkedGame, example, worked_game

_RECORD = re.compile(r"^```record\n(?:(?!```).*\n)*+```$", re.MULTILINE)


def rules_page(game_type: str) -> str:
    """Return the rules page of a game in Markdown; "" if it is not written yet."""
    return _with_boards(game_type, game_types.rules_page(game_type))


def notation(game_type: str) -> str:
    """Return the section of a rules page about writing moves, in Markdown; "" if there is none."""
    return _with_boards(game_type, game_types.notation(game_type))


def _with_boards(game_type: str, page: str) -> str:
    found = worked_game(game_type)
    page = EXAMPLE.sub(lambda said: _example(game_type, said), page)
    if found is None:
        return page
    page = TURN.sub(lambda said: _turn(found, said), page)
    return _RECORD.sub(lambda _: _fenced(_listed(found)), page)


def _turn(game: WorkedGame, said: re.Match[str]) -> str:
    board = ascii_board(game.turn(int(said[1])).board.diagram)
    return f"Turn {said[1]} of the game below: {said[2]}\n\n{_fenced(board)}"


def _example(game_type: str, said: re.Match[str]) -> str:
    diagram = example(game_type, " ".join(said[1].split()))
    board = "" if diagram is None else f"\n\n{_fenced(ascii_board(diagram))}"
    return f"Example, {said[1]}: {said[2]}{board}"


def _listed(game: WorkedGame) -> str:
    """Return the turns of a game, one by one."""
    turns = [game.turn(number) for number in range(1, game.last + 1)]
    return "\n".join(f"{turn.number}. {'; '.join(turn.played)}" for turn in turns)


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"
