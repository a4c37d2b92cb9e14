"""The arguments of `challenge`, `seek`, `counter` and `tournament`: names, a game type and options."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from zoneinfo import ZoneInfo

from rules.registry import RULES
from rules.sentences import quoted, shortened
from server.clock.controls import read_control
from server.clock.errors import BadTime
from server.errors import BadRequest
from server.game.terms import terms
from server.store.models.columns import row_number
from server.tournaments.plan import USUAL as PLANNED


def read_challenge(argument: str) -> tuple[str, str, dict[str, object]]:
    """Return player, game type and options of a text such as `ben nelaxtam size=10` or `Ben to nibble, rated`.

    The last name of a game before the options counts, as a player may be called like a game. Raises BadRequest.
    """
    words = argument.split()
    at = _game_type_in(words)
    if at is None:
        raise BadRequest(f"A challenge has to name a game: challenge WHO GAME. The games are {game_types()}.")
    who, game_type = _without_fillers(words[:at]), words[at].lower().rstrip(_SIGNS)
    if not who:
        raise BadRequest(
            f"Who do you want to challenge? Write: challenge WHO {game_type}, with a name or an email address. "
            f"To open a game that anyone can join, write: seek {game_type}"
        )
    return " ".join(who).rstrip(","), game_type, read_options(words[at + 1 :])


def read_seek(argument: str) -> tuple[str, dict[str, object]]:
    """Return game type and options of a text such as `nelaxtam size=10`. Raises BadRequest."""
    words = argument.split()
    at = _game_type_in(words)
    if at is None:
        raise BadRequest(f"Say which game, for example: seek nibble. The games are {game_types()}.")
    game_type = words[at].lower().rstrip(_SIGNS)
    if _without_fillers(words[:at]):
        raise BadRequest(
            f"“seek” opens a game that anyone can join: seek {game_type}. To challenge a player, write: "
            f"challenge {shortened(' '.join(words[: at + 1]))}"
        )
    return game_type, read_options(words[at + 1 :])


def read_counter(argument: str) -> tuple[str, dict[str, object]]:
    """Return number of the game ("" for none) and options of a text such as `12 time=1d`. Raises BadRequest."""
    words = argument.split()
    number = words[0].lstrip("#") if words else ""
    if number.isdecimal() and row_number(number) is None:
        raise BadRequest(f"There is no game {shortened(number)}.")
    return (number, read_options(words[1:])) if number.isdecimal() else ("", read_options(words))


def read_standings(argument: str) -> tuple[str, str]:
    """Return tournament (number or name) and round ("" for none) of `3 round=2`. Raises BadRequest."""
    words = argument.rstrip(".! ").split()
    at = next((n for n, word in enumerate(words) if "=" in word), len(words))
    number, options = " ".join(words[:at]), read_options(words[at:])
    wanted = str(options.pop("round", ""))
    if options:
        raise BadRequest("The only option of “standings” is a round, for example: standings 3 round=2")
    return number, wanted


def read_tournament(argument: str) -> tuple[str, str, dict[str, object]]:
    """Return name, game type and options of `Spring Cup nibble format=swiss`. Raises BadRequest."""
    words = argument.split()
    at = _game_type_in(words)
    if not at:
        raise BadRequest(
            "Write: tournament NAME GAME, for example: tournament Spring Cup nibble format=swiss. The games "
            f"are {game_types()}. Besides the options of a challenge, there are {', '.join(PLANNED)}."
        )
    return " ".join(words[:at]), words[at].lower(), read_options(words[at + 1 :])


def read_options(words: Sequence[str]) -> dict[str, object]:
    """Return the options in words such as `size=10 grace=2h` or `rated, 3 days per move`. Raises BadRequest.

    The words after `time=` belong to it: `time=daily 20:00 Europe/Berlin`.
    """
    options: dict[str, str] = {}
    left = [word.rstrip(_SIGNS) for word in words]
    while left:
        for read in (_option, _phrase, _rest_of_time, _named_option, _time):
            found = read(left, options)
            if found is not None:
                break
        else:
            raise BadRequest(
                f"{quoted(left[0])} is not an option. Write options as name=value, without spaces, for "
                "example: time=3d, grace=2h; or in words: 3 days per move, rated, unrated."
            )
        name, value, length = found
        if name and options.get(name, value) != value and read is not _rest_of_time:
            raise BadRequest(
                f"{shortened(name)} is written twice, as {shortened(options[name])} and as {shortened(value)}. "
                "Write it once."
            )
        options |= {name: value} if name else {}
        left = left[length:]
    return dict(options)


_Found = tuple[str, str, int] | None
"""An option, its value, and how many words say so; None if the words say none. The name is "" for no option."""
_SIGNS = ",;.!"
_PHRASES: dict[tuple[str, ...], tuple[str, str]] = {
    ("rated",): ("rated", "on"),
    ("unrated",): ("rated", "off"),
    ("casual",): ("rated", "off"),
    ("friendly",): ("rated", "off"),
    ("not", "rated"): ("rated", "off"),
    ("no", "rating"): ("rated", "off"),
    ("private",): ("private", "on"),
    ("public",): ("private", "off"),
    ("anonymous",): ("anonymous", "on"),
    **{(word,): ("", "") for word in ("", "and", "with", "please", "for", "at", "in", "game")},
}
"""Options in words; words without an option are ignored."""
_LONGEST_TIME = 8


def _option(words: Sequence[str], options: Mapping[str, str]) -> _Found:
    """`time=3d`"""
    name, _, value = words[0].partition("=")
    return (name.lower(), value, 1) if value else None


def _phrase(words: Sequence[str], options: Mapping[str, str]) -> _Found:
    """`unrated`, `not rated`"""
    for length in (2, 1):
        said = tuple(word.lower() for word in words[:length])
        if said in _PHRASES and words[length : length + 1] not in (["on"], ["off"]):
            return *_PHRASES[said], length
    return None


def _rest_of_time(words: Sequence[str], options: Mapping[str, str]) -> _Found:
    """The words after `time=daily`"""
    belongs = "=" not in words[0] and list(options)[-1:] == ["time"]
    return ("time", f"{options['time']} {words[0]}", 1) if belongs else None


def _named_option(words: Sequence[str], options: Mapping[str, str]) -> _Found:
    """`size 10`, `rated off`"""
    known = words[0].lower() in _names() and len(words) > 1 and "=" not in words[1]
    return (words[0].lower(), words[1], 2) if known else None


def _time(words: Sequence[str], options: Mapping[str, str]) -> _Found:
    """`3 days per move`, `no time limit`, `2 games`"""
    if words[0].isdecimal() and words[1:2] in (["games"], ["players"]):
        return words[1], words[0], 2
    for length in range(min(len(words), _LONGEST_TIME), 0, -1):
        text = " ".join(words[:length])
        with suppress(BadTime):
            read_control(text, ZoneInfo("UTC"))
            return "time", text, length
    return None


@cache
def _names() -> frozenset[str]:
    of_rules = {name for rules in RULES.values() for name in rules.options({})}
    return frozenset({*of_rules, *terms.option_names(simultaneous=True)})


def game_types() -> str:
    """Return the names of all game types, for a sentence."""
    return ", ".join(sorted(RULES))


def _game_type_in(words: Sequence[str]) -> int | None:
    """Return the place of the game type; None if none of the words before the options is one."""
    first_option = next((n for n, word in enumerate(words) if "=" in word), len(words))
    return next((n for n in reversed(range(first_option)) if words[n].lower().rstrip(_SIGNS) in RULES), None)


_BEFORE_GAME = frozenset({"to", "a", "an", "the", "game", "of", "at", "in", "for", "play"})
"""Words between a name and a game: "Ben to a game of nibble". They are rarely names."""


def _without_fillers(words: Sequence[str]) -> list[str]:
    """Return the words of a name, without those that only lead to the game after them."""
    kept = list(words)
    while kept and kept[-1] in _BEFORE_GAME:
        kept.pop()
    return kept
