"""The handlers of commands to the plain address, except those about open games and tournaments."""

import re
from contextlib import suppress
from dataclasses import replace

from rules.errors import BadData
from rules.registry import RULES, rules_named
from server.accounts import newcomers, players, similar_names
from server.accounts.login import links
from server.actions import challenges as challenge_actions
from server.actions import lobby, preferences, relations
from server.actions.action import GameActor, Outcome
from server.clock.spans import DAY
from server.commands import player_names
from server.commands.account_words import (
    ACCEPT_A_GAME,
    CHALLENGE,
    COUNTER_A_GAME,
    DECLINE_A_GAME,
    GAMES,
    HELLO,
    JOIN,
    LOGIN,
    LUCK_WITH_A_CHALLENGE,
    RANKING,
    REGISTER,
    RESUME,
    RULES_OF_A_GAME,
    SET,
    SETTINGS,
    STOP_ALL,
    WHO,
)
from server.commands.game_words import YES
from server.commands.vocabulary import HELP, SETTABLE
from server.errors import BadRequest, Unclear, refusing
from server.game.computer import lessons
from server.game.lobby import challenges
from server.game.log import visibility
from server.inbound.authorization.quotas import MOST_GREETINGS
from server.inbound.authorization.yes_replies import suggested_in_account, unanswerable
from server.inbound.handlers.registry import Handlers, carrying_out
from server.inbound.request import AccountMail
from server.interpretation.options import game_types, read_challenge, read_counter
from server.outbound.letters.account import Games, MailResumed, MailStopped, Ranking, Who
from server.outbound.letters.game_parts import Rules
from server.outbound.letters.help import Hello, HelpAccount
from server.outbound.letters.replies import ChallengeSent
from server.outbound.letters.settings_list import SettingsList
from server.store.models.columns import row_number

HANDLERS = Handlers[AccountMail]()


@HANDLERS.handles(REGISTER)
def _register(mail: AccountMail, name: str) -> None:
    name = name or mail.reading.author.name
    if not name:
        raise BadRequest(
            "To sign up, write “register” and the name that other players will see, for example: register Ann"
        )
    newcomers.check_rush(mail.action, mail.reading.sender)
    lessons.register(mail.action, mail.reading.sender, player_names.check(name))


@HANDLERS.handles(CHALLENGE)
def _challenge(mail: AccountMail, argument: str) -> None:
    who, game_type, options = read_challenge(argument)
    values = {"opponents": [who], "game_type": game_type, "options": options, **_own_words(mail)}
    _confirm_proposal(mail, challenge_actions.CHALLENGE.carry_out(mail.actor, values))


def _own_words(mail: AccountMail) -> dict[str, object]:
    """Return whether the writer gives their own words for luck, as an argument."""
    return {"own_words": mail.client_seed is not None}


def _confirm_proposal(mail: AccountMail, outcome: Outcome) -> None:
    """Confirm a challenge, with the words for luck that came too early."""
    early = mail.client_seed  # with these, no game starts yet
    mail.confirm(replace(outcome, letter=ChallengeSent(early)) if early else outcome)


@HANDLERS.handles(LUCK_WITH_A_CHALLENGE)
def _check_seed(mail: AccountMail, _: str) -> None:
    """Check that words for luck come with a command that starts a game."""
    if not mail.asks_for(CHALLENGE, ACCEPT_A_GAME, COUNTER_A_GAME, JOIN):
        raise BadRequest(
            "Words for luck go below “accept” or “join”, or in a reply to the email about your challenge."
        )


@HANDLERS.handles(ACCEPT_A_GAME)
def _accept(mail: AccountMail, number: str) -> None:
    actor = _invited(mail, number)
    mail.confirm(lobby.ACCEPT.carry_out(actor, {"luck": mail.client_seed or ""}))


@HANDLERS.handles(DECLINE_A_GAME)
def _decline(mail: AccountMail, number: str) -> None:
    mail.confirm(lobby.DECLINE.carry_out(_invited(mail, number), {}))


@HANDLERS.handles(COUNTER_A_GAME)
def _counter(mail: AccountMail, argument: str) -> None:
    number, changes = read_counter(argument)
    actor, values = _invited(mail, number), {"options": changes, **_own_words(mail)}
    _confirm_proposal(mail, lobby.COUNTER.carry_out(actor, values))


@HANDLERS.handles(GAMES)
def _list_games(mail: AccountMail, _: str) -> None:
    mail.answer(Games(players.identity(mail.player)))


@HANDLERS.handles(RULES_OF_A_GAME)
def _tell_rules(mail: AccountMail, name: str) -> None:
    if not name:
        name = _own_game_type(mail)
    if number := row_number(name.lstrip("#")):
        found = visibility.visible_game(mail.action.session, number, players.identity(mail.player))
        if found is None:
            raise BadRequest(f"There is no game {number} that you can see.")
        name = found[0].game_type
    with refusing(BadData):
        mail.answer(Rules(rules_named(name.lower()).name))


@HANDLERS.handles(WHO)
def _tell_of(mail: AccountMail, name: str) -> None:
    player = players.find_known(mail.action.session, name.rstrip(".!? ")) if name else mail.player
    if player is None:
        raise similar_names.unknown_player(mail.action.session, name)
    mail.answer(Who(players.identity(player)))


@HANDLERS.handles(RANKING)
def _rank(mail: AccountMail, game_type: str) -> None:
    with refusing(BadData):
        name = rules_named(game_type.lower()).name if game_type else ""
    mail.answer(Ranking(players.identity(mail.player), name))


@HANDLERS.handles(LOGIN)
def _log_in(mail: AccountMail, _: str) -> None:
    sender, answers = mail.reading.sender, mail.reading.message_id
    links.mail_login(mail.action, sender, mail.player, answers=answers)


@HANDLERS.handles(YES)
def _say_yes(mail: AccountMail, _: str) -> None:
    raise unanswerable(suggested_in_account(mail.action, mail.reading))


@HANDLERS.handles(HELLO)
def _greet(mail: AccountMail, _: str) -> None:
    """Answer an email that is only a greeting; a greeting above other commands is ignored."""
    greeted = mail.action.recent(mail.reading.sender, Hello, DAY)
    if greeted < MOST_GREETINGS and all(command.word is HELLO for command in mail.instructions.commands):
        mail.answer(greeting(mail))


@HANDLERS.handles(STOP_ALL)
def _stop_mail(mail: AccountMail, _: str) -> None:
    players.stop_mail(mail.action, mail.reading.sender, mail.own)
    mail.answer(MailStopped())


@HANDLERS.handles(RESUME)
def _resume_mail(mail: AccountMail, _: str) -> None:
    mail.player.mail_stopped = False
    mail.answer(MailResumed())


@HANDLERS.handles(HELP)
def _help(mail: AccountMail, about: str) -> None:
    mail.answer(HelpAccount(about))


def greeting(mail: AccountMail) -> Hello:
    """Return the letter for a sender who seems to know no commands.

    A stranger can accept the name that they have written, or the one in From, by answering “yes”.
    """
    if newcomers.is_known(players.by_email(mail.action.session, mail.reading.sender)):
        return Hello()
    given = _NAME_GIVEN.search(f"{mail.reading.text}\n{mail.reading.subject}")
    for name in (given[1] if given else "", mail.reading.author.name):
        if name and not mail.action.doubtful:
            with suppress(BadRequest):
                return Hello(player_names.check(name), asks=True)
    return Hello("Ann")


_NAME_GIVEN = re.compile(
    r"\b(?i:my name is|my name's|call me|i am|i'm|this is) ([^\W\d_a-z][\w'-]*(?: [^\W\d_a-z][\w'-]*){0,2})"
)
_FILLER = re.compile(r"^(?:my|the)\s+", re.IGNORECASE)
_BEFORE_VALUE = re.compile(r"^\s*(?:[=:]|to\b)\s*", re.IGNORECASE)
"""The words that may stand between the name of a setting and its value."""


@HANDLERS.handles(SETTINGS)
def _list_settings(mail: AccountMail, _: str) -> None:
    mail.answer(SettingsList(players.identity(mail.player)))


@HANDLERS.handles(SET)
def _set(mail: AccountMail, text: str) -> None:
    """Carry out the command of a setting: “set my zone to Berlin” is “zone Berlin”."""
    name = _FILLER.sub("", text).replace("=", " ", 1)
    word, value = SETTABLE.split(name) if name else (None, "")
    if word is None:
        raise BadRequest(
            "Write the name of a setting and its value, for example: set zone Europe/Berlin. To see all of "
            "them, with their values, write: settings"
        )
    HANDLERS.by_word[word](mail, _BEFORE_VALUE.sub("", value))


for action in (*challenge_actions.ACTIONS, *relations.ACTIONS, *preferences.ACTIONS):
    if action.word not in HANDLERS.by_word:
        HANDLERS.handles(action.word)(carrying_out(action))


def _own_game_type(mail: AccountMail) -> str:
    """Return which of the games the writer plays or is invited to, if it is only one."""
    player = players.by_email(mail.action.session, mail.reading.sender)
    own = challenges.game_types_of(mail.action.session, player) if player else set()
    if len(own) != 1:
        raise Unclear(
            f"Say which game, for example: rules nibble. The games are {game_types()}.",
            [f"{RULES_OF_A_GAME.word} {each}" for each in sorted(own or RULES)],
        )
    return own.pop()


def _invited(mail: AccountMail, number: str) -> GameActor:
    """Return the writer in the game that they are invited to."""
    game = _invited_to(mail, number)
    return mail.actor_in_game(game, challenges.not_invited(game))


def _invited_to(mail: AccountMail, number: str) -> int:
    """Return the game that an answer to an invitation is about: without a number, the only one."""
    if number:
        return int(number)
    waiting = challenges.invitations(mail.action.session, mail.player)
    if len(waiting) != 1:
        numbers = ", ".join(str(game.id) for game in waiting) or "none"
        raise BadRequest(f"Say which game, for example: accept 12. Games waiting for your answer: {numbers}.")
    return waiting[0].id or 0
