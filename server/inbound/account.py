"""Mails to the plain address: becoming a player, challenges, and all that belongs to no game."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from mail.reading.message import Reading
from rules.game import BadData
from rules.registry import KINDS, kind
from server.accounts import bounces, links, players, quotas
from server.errors import BadRequest, NothingWritten, NotUnderstood, Refused
from server.game import limits, lobby, log, preferences
from server.game.commands import Command, read_commands
from server.game.vocabulary import PLAIN, REPLY
from server.inbound.answers import gathering, put_answers
from server.inbound.asking import NOTHING_ASKED, ask_sender
from server.inbound.belief import Belief, is_enough
from server.inbound.copies import once
from server.inbound.endings import Ending, done, held, refused
from server.inbound.lengths import check_lengths
from server.inbound.quoted import top
from server.outbound.letters.account import MailResumed, MailStopped, Settled
from server.outbound.letters.help import HelpAccount, RefusalAccount
from server.outbound.letters.replies import ChallengeSent, DeclinedByYou
from server.outbound.letters.shown import Rules
from server.store.letters.account import Games
from server.store.letters.letter import About, Letter
from server.store.models import Inbox, Player
from server.store.outbox import Action

_PREFIX = re.compile(r"\s*([^\W\d_]{1,6})(?:\[\d+\])? ?[:：]\s*")


def act_on_account(action: Action, reading: Reading, own: str, row: Inbox, belief: Belief) -> Ending:
    """Do what a mail to the plain address asks for, and see to it that it is answered.

    Where `belief` is not enough for that, it is asked at the address in From whether it is from there.
    """
    action = replace(action, doubtful=belief.doubtful)
    text = _request(reading)
    instructions = read_commands(text, lambda line: False, PLAIN)
    if is_enough(belief, instructions.commands):
        peer = row.peer if row.source == "smtp" else ""
        act = partial(_carry_out, action, reading, own, text, instructions.commands, peer, belief)
    else:
        words = [str(command.word) for command in instructions.commands]
        act = partial(ask_sender, action, row, reading, text, words)
    return once(action, row, reading, instructions, act)


def _carry_out(
    action: Action,
    reading: Reading,
    own: str,
    text: str,
    commands: tuple[Command, ...],
    peer: str,
    belief: Belief,
) -> Ending:
    player = players.by_email(action.session, reading.sender)
    if not quotas.is_known(player):
        action = quotas.by_stranger(action, peer)
    if player is not None:
        action = replace(action, writer=player.id)
    if player is not None and belief is Belief.VOUCHED:
        bounces.heard_from(action, player)
    gathered = gathering(action, reading.sender, "" if player is None else player.email)
    try:
        with action.session.begin_nested():
            _Request(gathered, reading, own).carry_out(commands, text)
    except Refused as problem:
        return _Request(action, reading, own).refuse(problem, text)
    kept_back = put_answers(gathered, reading.message_id, None if action.origin is not None else player)
    return done(", ".join(str(command.word) for command in commands) + kept_back)


def is_for_account(reading: Reading) -> bool:
    """Whether a mail begins with a command that only the plain address knows, whatever it answers."""
    commands = read_commands(_request(reading), lambda line: False, PLAIN).commands
    # With a number, as in `accept 12`, it says which game.
    return bool(commands) and (commands[0].word.word not in REPLY or commands[0].argument.isdecimal())


def _request(reading: Reading) -> str:
    """The text, or the subject of an empty mail."""
    return reading.text if reading.text.strip() else without_prefix(reading.subject)


@dataclass
class _Request:
    """A mail to the plain address that is being carried out."""

    action: Action
    reading: Reading
    own: str
    client_seed: str | None = None
    """Words for luck; None where there are none, "" where only the word “luck” stands there."""

    @property
    def player(self) -> Player:
        player = players.by_email(self.action.session, self.reading.sender)
        if player is None:
            raise BadRequest(
                f"{self.reading.sender} is not the address of a player. To become one, write: register NAME"
            )
        return player

    def carry_out(self, commands: tuple[Command, ...], text: str) -> None:
        if not text.strip():
            raise NothingWritten("Your mail is empty. To move in a game, reply to its mail.")
        check_lengths(commands)
        limits.check_commands(commands)
        if not commands:
            first = text.strip().split("\n")[0]
            raise NotUnderstood(f"“{first:.60}” {_not_here(first)}", first)
        words = [command.argument for command in commands if str(command.word) == "luck"]
        self.client_seed = " ".join(words) if words else None
        if words and not any(str(command.word) in ("challenge", "accept") for command in commands):
            raise BadRequest(
                "Words for luck go below “accept”, or into a reply to the mail about your challenge."
            )
        for command in commands:
            if str(command.word) != "luck":
                self._do(command)

    def refuse(self, problem: Refused, text: str) -> Ending:
        """Answer with what is wrong, unless that was told often enough."""
        sender = self.reading.sender
        player = players.by_email(self.action.session, sender)
        if quotas.had_enough_refusals(self.action, sender, RefusalAccount, player):
            return held("told often enough today what is wrong")
        self._answer(RefusalAccount(str(problem), top(text)))
        return refused(type(problem).__name__)

    def _do(self, command: Command) -> None:
        actions: dict[str, Callable[[str], None]] = {
            "register": self._register,
            "name": self._rename,
            "challenge": self._challenge,
            "accept": self._accept,
            "decline": self._decline,
            "games": lambda _: self._answer(Games(players.identity(self.player))),
            "login": self._log_in,
            "rules": self._rules,
            "vacation": lambda text: self._settle(preferences.take_vacation, text),
            "auto": lambda text: self._settle(preferences.set_auto_vacation, text),
            "digest": lambda text: self._settle(preferences.set_digest, text),
            "remind": lambda text: self._settle(preferences.set_reminders, text),
            "forced": lambda text: self._settle(preferences.set_forced_moves, text),
            "zone": lambda text: self._settle(preferences.set_zone, text),
            "stop": lambda _: self._set_mail(stopped=True),
            "resume": lambda _: self._set_mail(stopped=False),
            "help": lambda _: self._answer(HelpAccount()),
            "yes": self._say_yes,
        }
        actions[str(command.word)](command.argument)

    def _say_yes(self, _: str) -> None:
        raise BadRequest(NOTHING_ASKED)

    def _register(self, name: str) -> None:
        name = name or self.reading.author.name
        if not name:
            raise BadRequest("Write: register NAME, with what the others are to call you.")
        quotas.check_rush(self.action, self.reading.sender)
        players.register(self.action, self.reading.sender, name)

    def _log_in(self, _: str) -> None:
        sender, answers = self.reading.sender, self.reading.message_id
        links.mail_login(self.action, sender, self.player, answers=answers)

    def _rename(self, name: str) -> None:
        if not name:
            raise BadRequest("Write: name NAME, with what the others are to call you.")
        player = self.player
        players.rename(self.action.session, player, name)
        self._answer(Settled(f"You are called {player.name} now."))

    def _challenge(self, argument: str) -> None:
        challenger = self.player
        players.confirm(challenger, self.action.now)
        who, kind_name, options = read_challenge(argument)
        others = lobby.opponents(self.action, who, self.own)
        game = lobby.challenge(
            self.action, challenger, others, kind_name, options, own_words=self.client_seed is not None
        )
        if game.state == "invited":
            self._answer(ChallengeSent(self.client_seed or ""), About(log.identity(game), place=0))

    def _accept(self, number: str) -> None:
        lobby.accept(self.action, self.player, self._invited_to(number), self.client_seed or "")

    def _decline(self, number: str) -> None:
        game = lobby.decline(self.action, self.player, self._invited_to(number))
        seat = lobby.seat_of(self.action.session, game, self.player)
        self._answer(DeclinedByYou(), About(log.identity(game), place=seat))

    def _invited_to(self, number: str) -> int:
        if number:
            return int(number)
        waiting = lobby.invitations(self.action.session, self.player)
        if len(waiting) != 1:
            numbers = ", ".join(str(game.id) for game in waiting) or "none"
            raise BadRequest(
                f"Say which game, for example: accept 12. Games that wait for your answer: {numbers}."
            )
        return waiting[0].id or 0

    def _rules(self, name: str) -> None:
        if not name:
            raise BadRequest(f"Say of which game, for example: rules nibble. The kinds are {_kinds()}.")
        try:
            self._answer(Rules(kind(name.lower()).name))
        except BadData as error:
            raise BadRequest(str(error)) from None

    def _settle(self, choose: Callable[[Action, Player, str], str], text: str) -> None:
        self._answer(Settled(choose(self.action, self.player, text)))

    def _set_mail(self, *, stopped: bool) -> None:
        if stopped:
            players.stop_mail(self.action, self.reading.sender, self.own)
        else:
            self.player.mail_stopped = False
        self._answer(MailStopped() if stopped else MailResumed())

    def _answer(self, letter: Letter, about: About | None = None) -> None:
        self.action.put(self.reading.sender, letter, about, answers=self.reading.message_id)


def read_challenge(argument: str) -> tuple[str, str, dict[str, object]]:
    """`ben nelaxtam size=10` as who, which kind, which options. Raises BadRequest.

    The kind is the last word before the options that is one, since a player may be called like a kind. The
    words behind `time=` belong to it: `time=daily 20:00 Europe/Berlin`.
    """
    words = argument.split()
    first_option = next((n for n, word in enumerate(words) if "=" in word), len(words))
    at = next((n for n in reversed(range(first_option)) if words[n].lower() in KINDS), None)
    if at is None:
        raise BadRequest(f"A challenge names a kind of game: challenge WHO KIND. The kinds are {_kinds()}.")
    if at == 0:
        raise BadRequest(
            f"Whom do you challenge? Write: challenge WHO {words[0]}, with a name or a mail address."
        )
    options: dict[str, object] = {}
    for word in words[at + 1 :]:
        name, equals, value = word.partition("=")
        if not equals and "time" in options and list(options)[-1] == "time":
            options["time"] = f"{options['time']} {word}"
            continue
        if not equals or not value:
            raise BadRequest(
                f"'{word}' is no option; options are written name=value, without a blank: time=3d, grace=2h."
            )
        options[name.lower()] = value
    return " ".join(words[:at]), words[at].lower(), options


def _not_here(line: str) -> str:
    """Why a line is nothing that can be written to the plain address."""
    if line.split()[0].lower() in REPLY:
        return (
            "is for a certain game. Write it in a reply to a mail of that game, or to the address that it "
            "has in a mail about several."
        )
    return (
        "is no command. To move in a game, reply to its mail; where a mail is about several games, each has an "
        "address of its own."
    )


def _kinds() -> str:
    return ", ".join(sorted(KINDS))


def without_prefix(subject: str) -> str:
    """A subject without `Re:` and the like, in any language: it is a command where a mail says nothing else."""
    while (prefix := _PREFIX.match(subject)) and prefix[1].lower() not in PLAIN:
        subject = subject[prefix.end() :]
    return subject
