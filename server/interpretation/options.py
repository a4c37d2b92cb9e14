"""The arguments of `challenge`, `seek`, `counter` and `tournament`: names, a game type and options."""

from collections.abc import Sequence

from rules.registry import RULES
from server.errors import BadRequest
from server.tournaments.plan import USUAL as PLANNED


def read_challenge(argument: str) -> tuple[str, str, dict[str, object]]:
    """`ben nelaxtam size=10` as who, which game, which options. Raises BadRequest.

    The game is the last word before the options that is one, since a player may be called like a game.
    """
    words = argument.split()
    at = _game_type_in(words)
    if at is None:
        raise BadRequest(f"A challenge has to name a game: challenge WHO GAME. The games are {game_types()}.")
    if at == 0:
        raise BadRequest(
            f"Who do you want to challenge? Write: challenge WHO {words[0]}, with a name or an email address. "
            f"To open a game to anybody, write: seek {words[0]}"
        )
    return " ".join(words[:at]), words[at].lower(), read_options(words[at + 1 :])


def read_seek(argument: str) -> tuple[str, dict[str, object]]:
    """`nelaxtam size=10` as which game, which options. Raises BadRequest."""
    words = argument.split()
    at = _game_type_in(words)
    if at is None:
        raise BadRequest(f"Say which game, for example: seek nibble. The games are {game_types()}.")
    if at > 0:
        raise BadRequest(
            f"“seek” opens a game to anybody: seek {words[at]}. To challenge somebody, write: "
            f"challenge {' '.join(words[: at + 1]):.80}"
        )
    return words[0].lower(), read_options(words[1:])


def read_counter(argument: str) -> tuple[str, dict[str, object]]:
    """`12 time=1d` as the number of a game, "" for none, and what is changed. Raises BadRequest."""
    words = argument.split()
    number = words[0].lstrip("#") if words else ""
    if number.isascii() and number.isdigit():
        return number, read_options(words[1:])
    return "", read_options(words)


def read_standings(argument: str) -> tuple[str, str]:
    """`3 round=2` as the numbers of a tournament and of a round, "" for none. Raises BadRequest."""
    number, options = read_counter(argument.rstrip(".! "))
    wanted = str(options.pop("round", ""))
    if options:
        raise BadRequest("All that “standings” knows besides a number is a round, as in: standings 3 round=2")
    return number, wanted


def read_tournament(argument: str) -> tuple[str, str, dict[str, object]]:
    """`Spring Cup nibble form=swiss` as its name, which game, which options. Raises BadRequest."""
    words = argument.split()
    at = _game_type_in(words)
    if not at:
        raise BadRequest(
            "Write: tournament NAME GAME, for example: tournament Spring Cup nibble form=swiss. The games are "
            f"{game_types()}. Besides the options of a challenge, there are {', '.join(PLANNED)}."
        )
    return " ".join(words[:at]), words[at].lower(), read_options(words[at + 1 :])


def read_options(words: Sequence[str]) -> dict[str, object]:
    """`size=10 grace=2h` as options. Raises BadRequest.

    The words after `time=` belong to it: `time=daily 20:00 Europe/Berlin`.
    """
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals and "time" in options and list(options)[-1] == "time":
            options["time"] = f"{options['time']} {word}"
            continue
        if not equals or not value:
            raise BadRequest(
                f"'{word}' is not an option; options are written name=value, without spaces: time=3d, grace=2h."
            )
        name = name.lower()
        if options.get(name, value) != value:
            raise BadRequest(
                f"{name:.40} is written twice, as {options[name]:.40} and as {value:.40}. Write it once."
            )
        options[name] = value
    return dict(options)


def game_types() -> str:
    """The names of all games, for a sentence."""
    return ", ".join(sorted(RULES))


def _game_type_in(words: Sequence[str]) -> int | None:
    """Which of these is the game type; None if none before the options is one."""
    first_option = next((n for n, word in enumerate(words) if "=" in word), len(words))
    return next((n for n in reversed(range(first_option)) if words[n].lower() in RULES), None)
