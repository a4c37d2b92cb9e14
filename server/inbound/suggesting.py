"""Suggestions in refusals: commands and moves that the writer may have meant.

Each one is tried first, and only those that would succeed are suggested.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import TypeVar

from mail.reading.quoting import Written
from rules.errors import Ambiguous, WrongMove
from rules.sentences import quoted
from server.accounts import newcomers
from server.commands.account_words import CHALLENGE, REGISTER, SEEK, WHO
from server.commands.arguments import NEW_NAME, TEXT, IsMove
from server.commands.courtesy import Courtesy
from server.commands.game_words import ACCEPT, DECLINE, IF, SAY, TRY, WITHDRAW, YES
from server.commands.vocabulary import PLAIN
from server.commands.word import MOVE
from server.errors import BadRequest, BreaksOff, NotRunning, NotUnderstood, StaleReply, Unclear
from server.game.log import log
from server.inbound.account_reading import commands_below, read_account
from server.inbound.authorization.yes_replies import open_offers
from server.inbound.own_games import OwnGames
from server.inbound.reply import Reply
from server.inbound.request import PROBLEMS, AccountMail, Request
from server.interpretation.agreement import Stance, direction
from server.interpretation.command_checks import is_certain
from server.interpretation.doubts import is_doubtful
from server.interpretation.nearest import commands_in, commands_like, moves_like, respelled
from server.interpretation.phrases import ENDING, IN_REPLIES, TO_THE_PLAIN_ADDRESS, Meaning, Phrases, Read
from server.interpretation.subjects import subject_of
from server.interpretation.suggestions import games_mentioned, meant_by
from server.store.models import Player

MOST = 3
"""The most suggestions."""
_MOST_TRIED = 8
_MOST_COMMANDS = 5  # of an email for which better ones are looked for
_MOST_LINES = 30  # of an email that are looked at
_LONGEST = 200  # characters of a text that is offered as a message
_MOST_PARTS = 6  # of a sentence
_PARTS = re.compile(r"(?<=[,;:.!?…])\s|(?<=[぀-鿿]),|\s[-–—]\s|[，、。！？]")
_ENDS = " ,;:.!?…-–—"  # around a part
_ACCEPTING = ([YES.word], [ACCEPT.word])
"""The commands of a reply that only accepts an offer."""
_ANSWERS = (str(ACCEPT), str(DECLINE))
_OF_ONE_TURN = (MOVE, TRY, IF, WITHDRAW)
"""The commands that mean the turn of the email that they answer; the others mean the game as it is now."""
_RequestT = TypeVar("_RequestT", bound=Request)


class _Tried(Exception):
    """Everything was carried out, and must be rolled back."""


@dataclass(frozen=True)
class Suggested:
    """The problem with an email, in a sentence, and commands or moves that its writer may have meant."""

    problem: str
    choices: list[str]


def in_account(
    mail: AccountMail,
    problem: Exception,
    games: OwnGames,
    do_all: Callable[[AccountMail], None],
) -> Suggested:
    """Return suggestions for an email to the plain address that failed with `problem`.

    Strangers get no names of players. `do_all` carries out an email, to try a suggestion.
    """
    read = partial(read_account, games=games)

    def attempt(choice: str) -> Exception | None:
        changed = replace(mail, text=choice, instructions=read(choice))
        return _attempt(_with_text(changed, choice), games.player, do_all)

    unread = isinstance(problem, NotUnderstood)
    below = commands_below(mail.text, games) if unread else []
    if isinstance(problem, Unclear) or below or not newcomers.is_known(games.player):
        choices = [_in_place(mail, each) for each in problem.choices] if isinstance(problem, Unclear) else below
        possible = _first(choices, attempt)
        reason = f" {attempt(choices[0])}" if len(choices) == 1 and not possible else ""
        if not possible and not newcomers.is_known(games.player):
            signing_up = [each for each in mail.instructions.commands if each.word is REGISTER]
            possible = _first(map(str, signing_up), attempt)
        return Suggested(f"{problem}{reason}", possible)
    commands = [str(command) for command in mail.instructions.commands if command.word is not MOVE]
    written = mail.text if unread else "\n".join(commands)
    phrases = TO_THE_PLAIN_ADDRESS
    meanings = list(_phrases(mail.text, phrases, games.reads_anywhere, read, phrases.courtesy))
    lines = _lines(written)[:_MOST_COMMANDS]
    if moves := [move for line in lines for move in games.moves_like(line)]:
        meanings = [meaning for meaning in meanings if not meaning.is_part]
    like = (each for line in lines for each in meant_by(mail.action.session, line))
    suggested = _suggest(problem, meanings, chain(moves, like), attempt)
    if not suggested.choices and all(meaning.is_part for meaning in meanings):
        begun = [each for each in commands if each.startswith((str(CHALLENGE), str(SEEK), str(WHO)))]
        line = problem.line if isinstance(problem, NotUnderstood) else next(iter(begun), "")
        suggested = replace(suggested, choices=_first(games_mentioned(mail.action.session, line), attempt))
    if not suggested.choices:
        suggested = replace(suggested, choices=_first(_answers_to_an_invitation(mail), attempt))
    if not isinstance(problem, NotUnderstood):
        return suggested
    if not suggested.choices and all(meaning.is_part for meaning in meanings):
        suggested = _about_its_subject(suggested, problem, attempt)
    if suggested.choices and suggested.problem == str(problem):
        return replace(suggested, problem=f"{quoted(problem.line)} is not a command.")
    return suggested


def _answers_to_an_invitation(mail: AccountMail) -> list[str]:
    """Return the answer to an invitation that an email without a command, or only with “yes”, may be."""
    if any(command.word is not YES for command in mail.instructions.commands):
        return []
    match direction(mail.text, invited=True):
        case Stance.AGREES:
            return [str(ACCEPT)]
        case Stance.REFUSES:
            return [str(DECLINE)]
    return []


def _about_its_subject(
    suggested: Suggested, problem: NotUnderstood, attempt: Callable[[str], Exception | None]
) -> Suggested:
    """Return suggestions for what a sentence is about, if Nabu knows it, instead of none."""
    subject = subject_of(problem.line)
    if subject is None:
        return suggested
    said = f"{quoted(problem.line)} is not a command. {subject.explanation}"
    return Suggested(said if subject.explanation else suggested.problem, _first(subject.choices, attempt))


def _in_place(mail: AccountMail, choice: str) -> str:
    """Return all commands of an email, with a choice in place of the only one with the same word."""
    word, _ = PLAIN.split(choice)
    same = [each for each in mail.instructions.commands if each.word is word]
    if len(same) != 1 or "\n" in choice or str(same[0]) == choice:
        return choice
    return "\n".join(choice if each is same[0] else str(each) for each in mail.instructions.commands)


def in_game(reply: Reply, problem: Exception, do_all: Callable[[Reply], None]) -> Suggested:
    """Return suggestions for a reply about a game that failed with `problem`: moves and commands.

    `do_all` carries out a reply, to try a suggestion.
    """
    if isinstance(problem, Ambiguous):
        return Suggested(str(problem), list(problem.choices))

    def attempt(choice: str) -> Exception | None:
        changed = replace(reply, instructions=reply.read_all(choice))
        if not changed.asks_for(*_OF_ONE_TURN):
            changed.go_on()
        return _attempt(_with_text(changed, choice), reply.player, do_all)

    if accepting := _accepting(reply, problem):
        return replace(accepting, choices=_first(accepting.choices, attempt))
    doubts = reply.doubts
    found = _phrases(reply.reading.text, IN_REPLIES, doubts.moves.reads, reply.read_all, doubts.courtesy)
    has_move = any(
        each.word is MOVE for move in _moves_now(reply, problem) for each in reply.read_all(move).commands
    )
    if type(problem) is NotUnderstood:
        meanings = [each for each in found if not (each.is_part and (has_move or _opens_another(reply, each)))]
    else:
        meanings = []
    like = _meant_in_game(reply, problem)
    suggested = _suggest(problem, meanings, like, attempt)
    is_sure = suggested.choices and any(not meaning.is_part for meaning in meanings)
    if _may_be_for_others(reply) and not is_sure and not has_move:
        return replace(suggested, choices=_first([*suggested.choices, _as_message(reply)], attempt))
    return suggested


def _opens_another(reply: Reply, meaning: Meaning) -> bool:
    """Return True for a wish to play in the answer to an invitation: it means that game, not another one."""
    opens = [each.startswith(str(SEEK)) for each in meaning.choices]
    return reply.game.state == "invited" and bool(opens) and all(opens)


def _accepting(reply: Reply, problem: Exception) -> Suggested | None:
    """Return the suggestion to accept an open offer, if a reply seems to do so, else None.

    If only a part of a sentence does, the sentence may be a message.
    """
    offers = open_offers(reply)
    if offers and type(problem) is BadRequest and [*map(str, reply.instructions.commands)] in _ACCEPTING:
        return Suggested(str(problem), offers)
    if not offers or type(problem) is not NotUnderstood:
        return None
    text, doubts = reply.reading.text, reply.doubts
    said = f"{quoted(problem.line)} is not a command. To accept the {offers[0]}, write: {offers[0]}"
    if direction(text, doubts.courtesy) is Stance.AGREES:
        return Suggested(said, offers)
    found = _phrases(text, IN_REPLIES, doubts.moves.reads, reply.read_all, doubts.courtesy)
    accepts = [meaning for meaning in found if str(ACCEPT) in meaning.choices]
    message = [_as_message(reply)] if any(meaning.is_part for meaning in accepts) else []
    return Suggested(said, [*offers, *message]) if accepts else None


def _suggest(
    problem: Exception,
    meanings: Sequence[Meaning],
    others: Iterable[str],
    attempt: Callable[[str], Exception | None],
) -> Suggested:
    """Return the choices that would succeed: the meanings of phrases or, if none would, `others`."""
    meant = [choice for meaning in meanings for choice in meaning.choices]
    choices = _first(meant, attempt)
    if not choices and (meant or not meanings):
        choices = _first(others, attempt)
    if not meanings or not isinstance(problem, NotUnderstood):
        return Suggested(str(problem), choices)
    if meant and not choices:
        failed = attempt(meant[0])
        sentence = str(failed)
        choices = _first(failed.choices, attempt) if isinstance(failed, Unclear) else []
        if meanings[0].is_part or (meant[0] in _ANSWERS and isinstance(failed, NotRunning)):
            sentence = ""  # a part of a sentence says little, and it may be no answer to an invitation
    else:
        sentence = next((meaning.explanation for meaning in meanings if meaning.explanation), "")
    return Suggested(
        f"{quoted(problem.line)} is not a command. {sentence}" if sentence else str(problem), choices
    )


def _meant_in_game(reply: Reply, problem: Exception) -> Iterator[str]:
    """Return suggestions for a reply, apart from phrases: messages, moves, and commands in prose."""
    text, state = reply.reading.text, reply.game.state
    if type(problem) is NotUnderstood and _is_message(text, reply.doubts.courtesy):
        yield _as_message(reply)
        return
    if isinstance(problem, StaleReply) and not reply.asks_for(*_OF_ONE_TURN):
        yield "\n".join(map(str, reply.instructions.commands))
    yield from _moves_now(reply, problem)
    if type(problem) is NotUnderstood:
        yield from commands_like(problem.line) or commands_in(text, state)
        yield from _misspelled(reply, problem.line)


def _misspelled(reply: Reply, line: str) -> Iterator[str]:
    """Yield commands for the account that a misspelled line may mean, without those that take any text."""
    for choice in meant_by(reply.action.session, line):
        word, _ = PLAIN.split(choice)
        if word is not None and word.takes not in (NEW_NAME, TEXT):
            yield choice


def _moves_now(reply: Reply, problem: Exception) -> Sequence[str]:
    """Return suggestions for a move, if the reply is about the current turn of a running game."""
    is_now = reply.game.state == "running" and reply.target.turn == reply.game.turn
    return _moves_meant(reply, problem) if is_now else ()


def _moves_meant(reply: Reply, problem: Exception) -> Sequence[str]:
    """Return suggestions for a move that could not be read or played."""
    moves = [each.argument for each in reply.instructions.commands if each.word in (MOVE, TRY)]
    match problem:
        case BreaksOff():
            text = "\n".join([*moves[-1:], problem.line])
        case NotUnderstood():
            text = problem.line
        case Unclear():
            return problem.choices
        case WrongMove() if moves:
            text = moves[0]
        case _:
            return ()
    return moves_like(log.rules_of(reply.game), log.position_of(reply.game), reply.target.seat, text)


def _as_message(reply: Reply) -> str:
    return f"{SAY} {' '.join(reply.reading.text.split())}"


def _may_be_for_others(reply: Reply) -> bool:
    """Return whether a reply may be a message to the other players: words without a move or command.

    Not in games with secret orders, because the words may describe them.
    """
    if log.rules_of(reply.game).simultaneous:
        return False
    text, commands = reply.reading.text, reply.instructions.commands
    is_short = len(text) <= _LONGEST and len(text.split()) > 1
    is_read = any(is_certain(command) for command in commands) or any(map(reply.doubts.is_meant, _lines(text)))
    return is_short and not is_read and not _may_be_misspelled(reply, text)


def _may_be_misspelled(reply: Reply, text: str) -> bool:
    """Return whether the first line would be a move with one word replaced by a similar one."""
    if reply.game.state != "running":
        return False
    rules, position = log.rules_of(reply.game), log.position_of(reply.game)
    seat, first = reply.target.seat, next(iter(_lines(text)), "")
    return any(rules.reads(position, seat, each) for each in respelled(rules, position, first))


def _is_message(text: str, courtesy: Courtesy) -> bool:
    """Return whether a text consists of courtesies that the other players should get as a message."""
    lines = [line for line in text.splitlines() if line.strip()]
    said = all(map(courtesy.is_all, lines)) and not all(map(courtesy.is_hollow, lines))
    return said and len(text) <= _LONGEST


def _phrases(text: str, phrases: Phrases, is_move: IsMove, read: Read, courtesy: Courtesy) -> Iterator[Meaning]:
    """Return the meanings of the lines of a text, without courtesy, up to the first line that has none.

    If a line has none, its parts between commas and full stops are looked at: “I give up, well played”.
    """
    for line in _lines(text):
        meaning = phrases.meaning(line, is_move, read)
        if meaning is not None:
            yield meaning
        elif not courtesy.is_polite(line):
            yield from _meanings_of_parts(line, phrases, is_move, read)
            return


def _meanings_of_parts(line: str, phrases: Phrases, is_move: IsMove, read: Read) -> Iterator[Meaning]:
    """Yield the meanings of the parts of a sentence; none that ends something below words that doubt it."""
    parts = [part for each in _PARTS.split(line[:_LONGEST]) if (part := each.strip(_ENDS))][:_MOST_PARTS]
    for number, part in enumerate(parts if len(parts) > 1 else ()):
        meaning = phrases.meaning(part, is_move, read)
        doubts = any(map(is_doubtful, parts[: number + 1]))
        if meaning is not None and not (doubts and not ENDING.isdisjoint(meaning.choices)):
            yield replace(meaning, is_certain=False, is_part=True)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()][:_MOST_LINES]


def _first(choices: Iterable[str], attempt: Callable[[str], Exception | None]) -> list[str]:
    """Return the first different choices that would succeed."""
    tried = islice(dict.fromkeys(choices), _MOST_TRIED)
    return list(islice((choice for choice in tried if attempt(choice) is None), MOST))


def _attempt(
    request: _RequestT, player: Player | None, do_all: Callable[[_RequestT], None]
) -> Exception | None:
    """Try to carry out an email and roll it back; return the problem, None if it would succeed."""
    try:
        with request.attempt(player):
            do_all(request)
            raise _Tried
    except _Tried:
        return None
    except PROBLEMS as problem:
        return problem


def _with_text(request: _RequestT, text: str) -> _RequestT:
    """Return an email with only this text."""
    return replace(request, reading=replace(request.reading, raw_text=text, written=Written(text, "")))
