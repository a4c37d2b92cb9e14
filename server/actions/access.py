"""Actions that change who can use an account: addresses, sessions, passkeys, API tokens, and its deletion."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from rules.sentences import quoted, shortened
from server.accounts import access, account_changes
from server.accounts.login import api_tokens, passkeys, sessions
from server.actions.action import Action, Actor, Arguments, ArgumentsT, Door, Line, NoArguments, Outcome
from server.commands.account_words import DELETE
from server.commands.vocabulary import PLAIN
from server.errors import BadRequest
from server.outbound.letters.account import Confirmation, TokenMade
from server.store.models import ApiToken, Login, Passkey

_NOT_FOR_PROGRAMS = {Door.API: "programs with a token cannot change who can use the account"}
RowT = TypeVar("RowT", Login, Passkey, ApiToken)
_WAITING = "Waiting for confirmation"


class EmailArguments(Arguments):
    """An email address."""

    email: Line


class NumberArguments(Arguments):
    """The number of an item in a list of the player's own, such as their sessions."""

    number: Line


class TokenArguments(Arguments):
    """The name of the program that will use the token."""

    name: Line


def _add_address(here: Actor, given: EmailArguments) -> Outcome:
    sentence = account_changes.add(here.context, here.player, given.email, here.plain_address)
    return Outcome(sentence, Confirmation(sentence, headline=_WAITING))


def _make_main(here: Actor, given: EmailArguments) -> Outcome:
    sentence = account_changes.make_main(here.context, here.player, given.email, here.plain_address)
    return Outcome(sentence, Confirmation(sentence, headline=_WAITING), asked=here.player.email)


def _remove_address(here: Actor, given: EmailArguments) -> Outcome:
    own = here.plain_address
    return Outcome(account_changes.remove(here.context, here.player, given.email, own, here.origin))


def _log_out(here: Actor, given: NumberArguments) -> Outcome:
    own = sessions.list_logins(here.context.session, here.player)
    login = _numbered(own, given, "You are not logged in with the number")
    sessions.end(here.context.session, login.player_id, [login.number])
    return Outcome(f"You are logged out in {login.browser}, number {login.number}.")


def _log_out_everywhere(here: Actor, _: NoArguments) -> Outcome:
    access.log_out_everywhere(here.context, here.player)
    return Outcome(access.LOGGED_OUT)


def _remove_passkey(here: Actor, given: NumberArguments) -> Outcome:
    own = passkeys.list_passkeys(here.context.session, here.player)
    passkey = _numbered(own, given, "You have no passkey with the number")
    here.context.session.delete(passkey)
    return Outcome(f"The passkey {quoted(passkey.name)} is removed. It can no longer be used to log in.")


def _add_token(here: Actor, given: TokenArguments) -> Outcome:
    token, secret = api_tokens.add(here.context, here.player, given.name, here.origin)
    sentence = f"The token {quoted(token.name)} has been created."
    return Outcome(sentence, TokenMade(token.number, token.name, secret))


def _remove_token(here: Actor, given: NumberArguments) -> Outcome:
    own = api_tokens.list_tokens(here.context.session, here.player)
    token = _numbered(own, given, "You have no token with the number")
    here.context.session.delete(token)
    return Outcome(f"The token {quoted(token.name)} is removed. Programs can no longer use it.")


def _numbered(own: Iterable[RowT], given: NumberArguments, missing: str) -> RowT:
    """Return the row with the given number. Raises BadRequest with the sentence `missing` and the number."""
    number = given.number.lstrip("#")
    for row in own:
        if str(row.number) == number:
            return row
    raise BadRequest(f"{missing} {shortened(number)}.")


def _delete(here: Actor, _: NoArguments) -> Outcome:
    sentence = account_changes.ask_to_delete(here.context, here.player)
    return Outcome(sentence, Confirmation(sentence, headline=_WAITING), asked=here.player.email)


def _with_form(
    page: str,
    name: str,
    arguments: type[ArgumentsT],
    act: Callable[[Actor, ArgumentsT], Outcome],
    *,
    what: str = "",
    grants: access.Act | None = None,
) -> Action[Actor, ArgumentsT]:
    """Return an action that has its form on a page; its name begins with its command."""
    word = PLAIN.spelled[name.partition("/")[0]]
    reasons = {Door.WEB: f"the page {page} has its form", **_NOT_FOR_PROGRAMS}
    return Action(name, word, arguments, act, what=what, grants=grants, not_offered=reasons)


ADD_ADDRESS = _with_form(
    "/settings/addresses",
    "address/add",
    EmailArguments,
    _add_address,
    what="log in and send moves from another address",
    grants=access.ADDRESS,
)
MAKE_MAIN = _with_form(
    "/settings/addresses",
    "address/main",
    EmailArguments,
    _make_main,
    what="make an address the main one, to which email goes",
    grants=access.MAIN,
)
REMOVE_ADDRESS = _with_form(
    "/settings/addresses",
    "address/remove",
    EmailArguments,
    _remove_address,
    what="remove an address",
    grants=access.REMOVAL,
)
LOG_OUT = _with_form("/settings/logins", "logout", NumberArguments, _log_out, what="log out one browser")
LOG_OUT_EVERYWHERE = _with_form(
    "/settings", "logout/all", NoArguments, _log_out_everywhere, what="log out all browsers and programs"
)
REMOVE_PASSKEY = _with_form("/settings/logins", "passkey/remove", NumberArguments, _remove_passkey)
ADD_TOKEN = _with_form(
    "/settings/tokens",
    "token/add",
    TokenArguments,
    _add_token,
    what="create a token for a program",
    grants=access.TOKEN,
)
REMOVE_TOKEN = _with_form(
    "/settings/tokens", "token/remove", NumberArguments, _remove_token, what="revoke a token"
)
DELETE_ACCOUNT = Action("delete", DELETE, NoArguments, _delete, shows_game=False, not_offered=_NOT_FOR_PROGRAMS)

ACTIONS = (
    *(ADD_ADDRESS, MAKE_MAIN, REMOVE_ADDRESS),
    *(LOG_OUT, LOG_OUT_EVERYWHERE, REMOVE_PASSKEY, ADD_TOKEN, REMOVE_TOKEN, DELETE_ACCOUNT),
)
