"""Checks that a reply about a game is clear. If it may mean something else, Nabu changes nothing and asks."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Any

from mail.reading.message import Reading
from mail.reading.quoting import SIGNATURE
from mail.reading.wrapping import DAMAGED, ENCRYPTED, IN_TNEF
from rules.limits import LONGEST_MOVE
from rules.sentences import listed, quoted, shortened
from server.commands.courtesy import Courtesy
from server.commands.game_numbers import NumberedGames
from server.commands.game_words import STOP
from server.commands.parser import Command, Instructions, read_commands
from server.commands.vocabulary import ANYWHERE, BESIDE_A_MOVE, HELP, PLAIN, REPLY
from server.commands.word import Vocabulary
from server.errors import BadRequest, BreaksOff, LeftOut, NothingWritten, NotUnderstood, Unclear
from server.game.log import log
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.interpretation.command_checks import is_certain
from server.interpretation.doubts import DOUBTFUL, NONE, Doubts, PossibleMoves
from server.interpretation.phrases import IN_REPLIES
from server.limits import LONGEST_LINE, LONGEST_MESSAGE
from server.store.keys.sealing import Sealer
from server.store.models import Game

_NAME = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_AROUND = " ,;:.!"  # signs around a command
_MEANT = DOUBTFUL.union(REPLY.spelled, IN_REPLIES.single_words)


def doubts_in(game: Game, seat: int, seats: Sequence[Seated], reading: Reading) -> Doubts:
    """Return the checks for a reply from `seat`, with its possible moves and the names of all players."""
    names = [called(game, *each, seats[seat].player.id) for each in seats]
    return Doubts(moves_in(game, seat), courtesy_among([*names, reading.author.name]))


def courtesy_among(names: Iterable[str]) -> Courtesy:
    """Return a recognizer of polite words, such as "hi Ben", among people with these names."""
    words = {word.lower() for name in names for word in _NAME.findall(name)}
    return Courtesy(frozenset(words.difference(REPLY.spelled)), _MEANT)


def moves_in(game: Game, seat: int) -> PossibleMoves:
    """Return the possible moves of `seat` in a game at this moment."""
    return moves_at(log.rules_of(game), log.position_of(game), seat) if game.entries else NONE


def moves_at(rules: log.AnyRules, position: Any, seat: int) -> PossibleMoves:
    """Return the possible moves of `seat` in a position."""

    @cache
    def places() -> frozenset[str]:
        rows = rules.diagram(position).rows
        return frozenset(cell.name.lower() for row in rows for cell in row.cells if cell.name)

    return PossibleMoves(
        reads=lambda text: rules.reads(position, seat, text),
        allows=lambda text: rules.allows(position, seat, text),
        places=places,
    )


def read_reply(text: str, doubts: Doubts) -> Instructions:
    """Return the commands in a reply to an email about a game; those for the account are not read."""
    read = partial(read_commands, is_move=doubts.moves.reads, words=REPLY, courtesy=doubts.courtesy)
    return read(IN_REPLIES.translate(text, doubts.moves.reads, read, doubts.courtesy))


def read_with_account(text: str, doubts: Doubts, games: NumberedGames) -> Instructions:
    """Return the commands in a reply, including those for the account and for the writer's other games.

    Next to a move or a command in the game, a line that may be a sentence is not a command.
    """

    text = HELP.word if text.strip() == "?" else text

    def read(text: str) -> Instructions:
        read_in = partial(read_commands, text, doubts.moves.reads, courtesy=doubts.courtesy, games=games)
        found = read_in(words=ANYWHERE.strict)
        if found.commands and all(map(is_certain, found.commands)):
            return found
        beside = read_in(words=BESIDE_A_MOVE)
        return beside if beside.commands else read_in(words=ANYWHERE)

    return read(IN_REPLIES.translate(text, doubts.moves.reads, read, doubts.courtesy))


def check_clear(read: Instructions, doubts: Doubts) -> None:
    """Raise a refusal if a reply is not clear.

    It is not if its first line is no command, if it has several moves, or if other lines may be moves or
    commands, or may take back those that were read.
    """
    _check_whole(read, has_begun=doubts.moves is not NONE)
    if moves := doubts.two_moves(read):
        count = "two" if len(moves) == 2 else f"{len(moves)}"
        raise Unclear(
            f"Your email has {count} moves, in {count} lines: {_quoted(moves)}. A turn is one move: write only "
            "the one that you mean.",
            moves,
        )
    if line := doubts.line(read):
        raise Unclear(
            f"Your email has the move {_quoted(read.moves)}, but the line {quoted(line)} leaves open "
            "whether you mean it. Write only your move on the first line. Write a message to the others "
            "below it, after “say”.",
            read.moves,
        )
    if line := doubts.taken_back(read):
        raise Unclear(
            f"Your email has {_quoted(map(str, read.commands))}, but the line {quoted(line)} leaves open "
            "whether you mean it. Write again what you mean, and nothing else.",
            read.moves,
        )
    if line := doubts.out_of_place(read):
        raise Unclear(
            f"The line {quoted(line)} may be a command, but it is among other text, where Nabu reads no "
            "commands. Write all commands at the top, one per line, or leave it out."
        )
    for command in read.commands:
        if line := doubts.swallowed(command):
            raise Unclear(
                f"The line {quoted(line)} is below “{command.word}” and would be part of that text, "
                "but by itself it is a move or a command. If you mean it as one, write it above "
                f"“{command.word}”; if it is part of the text, write it in one line with other words."
            )


def _check_whole(read: Instructions, *, has_begun: bool) -> None:
    """Raise if the first line is not a command, or if perhaps only a part of a move was read."""
    commands, line = read.commands, read.stopped_at
    if not commands and len(line) > LONGEST_MOVE:
        raise BadRequest(
            f"The first line of your email has {len(line)} characters, and a move has at most {LONGEST_MOVE}. "
            "Write only your move on the first line."
        )
    if not commands:
        where = (
            "Below the greeting, your email begins with" if read.above else "The first line of your email is"
        )
        raise NotUnderstood(
            f"{where} {quoted(line)}, which {mistake(line, ANYWHERE)}. "
            "Write only your move or a command on the first line."
            + (" To send a message to the others, begin it with “say”." if has_begun else ""),
            line,
        )
    if read.breaks_off:
        raise BreaksOff(
            f"Nabu does not understand the line {quoted(line)} directly below your move, so your move may "
            "be incomplete. Send it again, with an empty line between the move and any other text.",
            line,
        )


def mistake(line: str, words: Vocabulary) -> str:
    """Return the problem with a line that is neither a move nor a command, to follow the line: "is not …"."""
    if len(line) > LONGEST_LINE:
        return f"is not a command: it has {len(line)} characters, and a command has at most {LONGEST_LINE}"
    word, rest = words.split(line)
    if word is None or not rest:
        return "is neither a move nor a command"
    if word.example == word.word:
        return f"is not a command: write “{line.removesuffix(rest).strip(_AROUND)}” alone on its line"
    return f"is not a command. Write “{word.word}” like this: {word.example}"


def _quoted(texts: Iterable[str]) -> str:
    """Return the texts in quotation marks: “c4” and “d5”."""
    return listed(map(quoted, texts))


_UNREAD = {
    ENCRYPTED: "Your email is encrypted, and Nabu has no key to decrypt it. Please send it without "
    "encryption; a signature is fine.",
    DAMAGED: "Your email is signed with S/MIME in a way that Nabu cannot read. Please send it unsigned.",
    IN_TNEF: "Your email contains only a file “winmail.dat”, which only Outlook can read. Please set Outlook "
    "to send HTML or plain text instead of Rich Text.",
}
"""The reasons why nothing can be read, and the way to fix it."""

Read = Callable[[str], Sequence[Command]]
"""A function that reads the commands in a text."""


def check_unread(reading: Reading, commands: Sequence[Command], read: Read) -> None:
    """Raise LeftOut if a part of the email that Nabu does not read, such as a quote, may have a command.

    A request for no more email is carried out anyway. `commands` are those of the part that it reads.
    """
    if any(command.word.word == STOP.word for command in commands):
        return
    written, taken = reading.written, {str(command).lower() for command in commands}
    if line := _first(written.below, read, taken):
        where = "is below or between the lines of the quoted email, and there is other text above them"
    elif line := _first(written.aside, read, taken):
        where = "is among the quoted lines and also in an email from Nabu, so it may not be yours"
    else:
        return
    raise LeftOut(
        f"The line {quoted(line)} {where}. To avoid doing only half of what you want, Nabu did nothing. "
        "Write everything above the quoted email and send it again."
    )


def nothing_written(reading: Reading, read: Read, advice: str) -> NothingWritten:
    """Return the error for an email without commands: it describes the email, and ends with `advice`."""
    said = [_found(reading)]
    if aside := _first(reading.written.aside, read, set()):
        said.append(f"The line {quoted(aside)} is among the quoted lines or below them.")
    subject = without_prefix(reading.subject)
    if read(subject):
        said.append(f"{quoted(subject)} is in the subject, where Nabu does not read it.")
    return NothingWritten(" ".join([*said, advice]))


def _found(reading: Reading) -> str:
    """Return a description of the text of an email in which its sender wrote nothing."""
    if reading.unread:
        return _UNREAD[reading.unread]
    first = next((line.strip() for line in reading.raw_text.splitlines() if line.strip()), "")
    if not first:
        return "There is no text in your email."
    if reading.written.ended_by == SIGNATURE:
        return f"Your email begins with {quoted(first)}, which looks like a signature, with nothing above it."
    return f"All of your email looks quoted, from its first line on: {quoted(first)}."


def _first(text: str, read: Read, taken: set[str]) -> str:
    """Return the first line that is a command and not one of those `taken`; "" for none."""
    for line in text.splitlines():
        if any(str(command).lower() not in taken for command in read(line)):
            return line.strip()
    return ""


_PREFIX = re.compile(r"\s*([^\W\d_]{1,6})(?:\[\d+\])? ?[:：]\s*")


def without_prefix(subject: str) -> str:
    """Return a subject without `Re:` and the like, in any language."""
    while (prefix := _PREFIX.match(subject)) and not _is_command(prefix[1].lower()):
        subject = subject[prefix.end() :]
    return subject


def stop_in_subject(reading: Reading) -> str:
    """Return the subject of an email without commands if it asks for no more email; "" otherwise."""
    subject = without_prefix(reading.subject).strip()
    word, rest = REPLY.split(subject) if subject else (None, "")
    return subject if word is STOP and not rest else ""


def _is_command(word: str) -> bool:
    return word in PLAIN or word in REPLY


_LINES = 15
_QUOTED = 3
_LONGEST_QUOTED = 140  # characters, two lines of an email


def brief_quote(sealer: Sealer, text: str) -> list[str]:
    """Return the first lines of a refused email, at most three, to quote them, without Nabu's secrets."""
    written = [line.strip() for line in top(sealer, text) if line.strip()]
    lines = [shortened(line, _LONGEST_QUOTED) for line in written[:_QUOTED]]
    return [*lines[:-1], f"{lines[-1]} …"] if len(written) > _QUOTED else lines


def top(sealer: Sealer, text: str) -> list[str]:
    """Return the first lines of a text, by which its writer recognises the email.

    Nabu's secrets are removed, as they may belong to another player.
    """
    return sealer.without_secrets(text, LONGEST_MESSAGE).splitlines()[:_LINES]
