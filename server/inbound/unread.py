"""What a mail holds beside what was read in it: nothing that may be a command is left out without a word."""

from collections.abc import Callable, Sequence

from mail.reading.message import Reading
from mail.reading.quoting import SIGNATURE
from mail.reading.wrapping import DAMAGED, ENCRYPTED, IN_TNEF
from server.errors import LeftOut, NothingWritten
from server.game.commands.reading import Command
from server.game.vocabulary import STOP
from server.inbound.subjects import without_prefix

_UNREAD = {
    ENCRYPTED: "Your email is encrypted, and we have no key to open it. Please send it without encryption; a "
    "signature is fine.",
    DAMAGED: "Your email is signed with S/MIME in a way that we cannot read. Please send it unsigned.",
    IN_TNEF: "Your email contains nothing but a file “winmail.dat”, which only Outlook can read. Please have "
    "Outlook send HTML or plain text instead of Rich Text.",
}
"""Why nothing can be read, and what to do about it."""

Read = Callable[[str], Sequence[Command]]
"""A function that reads the commands in a text."""


def check_unread(reading: Reading, commands: Sequence[Command], read: Read) -> None:
    """Raise LeftOut if a command, other than those that were read, may have been written elsewhere in the mail.

    Whoever wants no more mail gets that anyway.
    """
    if any(command.word.word == STOP.word for command in commands):
        return
    written, taken = reading.written, {str(command).lower() for command in commands}
    if line := _first(written.below, read, taken):
        where = "is below or between the lines of the quoted email, and there is other text above them"
    elif line := _first(written.aside, read, taken):
        where = "is among the quoted lines, in an email of ours, too, and may be yours or not"
    else:
        return
    raise LeftOut(
        f"The line “{line:.60}” {where}. So as not to do half of what you want, we did nothing. Write it all "
        "above the quoted email and send it again."
    )


def nothing_written(reading: Reading, read: Read, advice: str) -> NothingWritten:
    """Why nothing was read in a mail: what there is instead, and where; `advice` says what would be right."""
    said = [_found(reading)]
    if aside := _first(reading.written.aside, read, set()):
        said.append(f"The line “{aside:.60}” is among the quoted lines or below them.")
    subject = without_prefix(reading.subject)
    if read(subject):
        said.append(f"“{subject:.60}” is in the subject, where it is not read.")
    return NothingWritten(" ".join([*said, advice]))


def _found(reading: Reading) -> str:
    """What the text of a mail is, in which there is nothing of the writer's."""
    if reading.unread:
        return _UNREAD[reading.unread]
    first = next((line.strip() for line in reading.raw_text.splitlines() if line.strip()), "")
    if not first:
        return "There is no text in your email."
    if reading.written.ended_by == SIGNATURE:
        return f"Your email begins with “{first:.60}”, which looks like a signature, with nothing above it."
    return f"All of your email looks quoted, from its first line on: “{first:.60}”."


def _first(text: str, read: Read, taken: set[str]) -> str:
    """The first line that is a command, unless it is one of those `taken`."""
    for line in text.splitlines():
        if any(str(command).lower() not in taken for command in read(line)):
            return line.strip()
    return ""
