"""Suggested commands for an email to the plain address that could not be carried out.

They contain names of players, which are public, but never their addresses, and never players who have not
signed up or want no emails. Commands that end something are suggested only if they were spelled correctly.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice, product

from sqlmodel import Session

from rules.registry import RULES
from server.accounts import players
from server.accounts.computer_characters import ANY, COMPUTER
from server.accounts.similar_names import names_like
from server.clock.zones import nearest_zones
from server.commands.account_words import CHALLENGE, LOBBY, REGISTER, RULES_OF_A_GAME, SEEK, WHO, WORD_OF
from server.commands.arguments import NAMED
from server.commands.game_numbers import split_number
from server.commands.vocabulary import PLAIN
from server.game.lobby import entry_conditions, recurring_games
from server.game.terms import terms
from server.interpretation.patterns import STRENGTHS
from server.interpretation.phrases import ENDING

_MOST = 3
_LONGEST = 200  # characters of a line
_LIKE = 0.7
_PARTING = re.compile(r"[,&+]|\b(?:and|und|et|y)\b", re.IGNORECASE)
"""The punctuation and words between names."""
_ADDRESS = re.compile(r"([^\s,@]{1,64}@[^\s,@]{1,255})")
_MENTIONED = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|[\w'-]{1,64}")
_PLAYING = frozenset(
    {"play", "game", "games", "match", "opponent", "opponents", "partner", "challenge", "against", "someone"}
)
"""Words in sentences of people who want to start a game."""
_RULES = frozenset(
    word
    for words in (
        "rules explain explanation understand learn regeln spielregeln règles reglas regole regras regels",
        "zasady regler kurallar правила 规则 規則 ルール",
    )
    for word in words.split()
)
"""Words in sentences of people who want to know the rules of a game."""
_DENYING = re.compile(
    r"(?i:\b(?:not|never|no|none|nobody|cancel|withdraw|thanks for|thank you for|tomorrow)\b|n['’]t\b)"
    r"|(?i:\b(?:nicht|kein|keine|pas|jamais|non|nunca|niet|geen)\b)"
)
"""Words of sentences that ask for no game now."""
_COMPUTER_PLAYERS = STRENGTHS | dict.fromkeys(("computer", "bot", "machine", "ai"), COMPUTER)
"""The computer player that a word means."""
_NUMBERED = re.compile(r"\b(?:game|match) #?[0-9]", re.IGNORECASE)
_FILLERS = frozenset({"to", "at", "in", "a", "an", "game", "of", "for", "play", "with"})


def meant_by(session: Session, line: str) -> list[str]:
    """Return at most three commands that a misspelled line may mean; [] if the line is a command."""
    written = " ".join(line.split())
    if not written or len(written) > _LONGEST:
        return []
    if (
        named := players.by_name(session, written.rstrip("?!."))
    ) is not None and named.confirmed_at is not None:
        return [f"{WHO} {named.name}", *(f"{CHALLENGE} {named.name} {game_type}" for game_type in RULES)][
            :_MOST
        ]
    first, _, rest = written.partition(" ")
    said = first.lower().rstrip(".:!")
    known = [spelling for spelling, word in PLAIN.strict.spelled.items() if word.word not in ENDING]
    likely = [said] if said in PLAIN else get_close_matches(said, known, 1, _LIKE)
    if not likely:
        return []
    match PLAIN.spelled[likely[0]]:
        case word if word is CHALLENGE:
            rests = _challenges(session, rest)
        case word if word is SEEK:
            rests = _seeks(rest)
        case word if word is RULES_OF_A_GAME:
            rests = iter(_like(rest.lower(), RULES))
        case word if word is WORD_OF["zone"]:
            rests = iter(nearest_zones(rest))
        case word if word.takes is NAMED and word is not REGISTER:
            rests = iter(_names_like(session, rest.rstrip(".!?")) or [rest])
        case _:
            rests = iter([rest])
    found = (f"{likely[0]} {rest}".strip() for rest in rests)
    return list(islice((text for text in found if text.casefold() != written.casefold()), _MOST))


def games_mentioned(session: Session, line: str) -> Iterator[str]:
    """Yield commands that start a game, with the game type, player, address or level that a sentence contains.

    Yields nothing for a sentence that mentions neither a game nor playing.
    """
    if (
        len(line) > _LONGEST
        or _DENYING.search(line)
        or _NUMBERED.search(line)
        or split_number(line) is not None
    ):
        return
    words = _MENTIONED.findall(line)
    small = [word.lower() for word in words]
    game_types = [word for word in small if word in RULES]
    if not game_types and _PLAYING.isdisjoint(small):
        return
    if game_types and not _RULES.isdisjoint(small):
        yield from (f"{RULES_OF_A_GAME} {game_type}" for game_type in game_types)
        return
    computer = next((name for said, name in _COMPUTER_PLAYERS.items() if said in small), "")
    rivals = [word for word in words if "@" in word or _is_player(session, word)] or [computer] * bool(computer)
    for game_type in game_types or (RULES if rivals else ()):
        yield from (f"{CHALLENGE} {rival} {game_type}" for rival in rivals)
        if not rivals:
            yield f"{SEEK} {game_type}"
            yield f"{CHALLENGE} {COMPUTER} {game_type}"
    if not game_types and not rivals and "my" not in small:
        yield str(LOBBY)
        yield f"{CHALLENGE} {COMPUTER} {next(reversed(RULES))}"


def _is_player(session: Session, word: str) -> bool:
    found = players.by_name(session, word) if word[:1].isupper() else None
    return found is not None and found.confirmed_at is not None


def _challenges(session: Session, text: str) -> Iterator[str]:
    """Yield a challenge with its game, names and options corrected, in all possible ways."""
    words = text.split()
    first_option = next((n for n, word in enumerate(words) if "=" in word), len(words))
    before, options = words[:first_option], words[first_option:]
    at = next((n for n in reversed(range(len(before))) if _like(before[n].lower(), RULES)), 0)
    who = " ".join(before[:at]) if at else ""
    game_types = _like(before[at].lower(), RULES) if at else []
    for game_type in game_types[:1]:
        for names in product(*_each_name(session, who)):
            right = [_option(game_type, option) for option in options]
            yield " ".join([", ".join(names), game_type, *_company(game_type, len(names), right), *right])


def _seeks(text: str) -> Iterator[str]:
    """Yield an open game with its game and options corrected; nothing for a text without a game."""
    name, *options = text.split() or [""]
    for game_type in _like(name.lower(), RULES):
        yield " ".join(
            [
                game_type,
                *(
                    _option(game_type, option, (*entry_conditions.NAMES, recurring_games.ALWAYS))
                    for option in options
                ),
            ]
        )


def _company(game_type: str, others: int, options: Iterable[str]) -> list[str]:
    """Return `players=3` if a challenge names more players than the game expects, but not their number."""
    default = RULES[game_type].options({})
    said = any(option.startswith("players=") for option in options)
    needed = "players" in default and not said and default["players"] != 1 + others
    return [f"players={1 + others}"] if needed else []


def _each_name(session: Session, who: str) -> list[list[str]]:
    """Return the names that may be meant for each named player."""
    who = _ADDRESS.sub(r",\1,", who)
    if _PARTING.search(who) or _names_like(session, who):
        return [_names_like(session, name.strip()) for name in _PARTING.split(who) if name.strip()]
    names = [name for name in who.split() if name.lower() not in _FILLERS]
    return [_names_like(session, name) for name in names] or [[]]


def _names_like(session: Session, name: str) -> list[str]:
    """Return similar names of players, or only the given one if it is a player's or an address."""
    if "@" in name or name.casefold() == ANY:
        return [name]
    found = players.by_name(session, name)
    if found is not None and found.confirmed_at is not None:
        return [name]
    return names_like(session, name)


def _option(game_type: str, written: str, more: Iterable[str] = ()) -> str:
    """Return `size=10` for `sise=10`, if neither the rules nor `more` have the option as written."""
    name, equals, value = written.partition("=")
    if not equals:
        return written  # words, such as unrated
    rules = RULES[game_type]
    known = [*rules.options({}), *terms.option_names(simultaneous=rules.simultaneous), *more]
    return f"{(_like(name.lower(), known) or [name])[0]}{equals}{value}"


def _like(word: str, known: Iterable[str]) -> list[str]:
    """Return the word if it is known, else the most similar known word, if any."""
    names = list(known)
    return [word] if word in names else get_close_matches(word, names, 1, _LIKE)
