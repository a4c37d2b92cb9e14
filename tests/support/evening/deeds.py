"""Acts other than moves: talk, watch, propose, block, stop emails, and leave."""

from __future__ import annotations

import re
from email.message import EmailMessage

from tests.support.evening.afterwards import Canary
from tests.support.evening.guests import Lease
from tests.support.evening.open_games import Sitting

_GAME = re.compile(r"/games/(\d+)")


def note(sittings: list[Sitting]) -> list[Canary]:
    """Anyone who writes mails notes something for themselves in the game that they are in."""
    found = []
    for sitting in sittings:
        for who in sitting.people:
            if who.habit == "mail":
                canary = Canary(f"quince marmalade of {who.name}", frozenset({who.name}))
                who.person.answer(who.last_about(sitting.number), f"note {canary.words}")
                found.append(canary)
    return found


def tell(sitting: Sitting) -> Canary:
    """One of several players sends another a private message, which the third must not see."""
    speaker = next(who for who in sitting.people if who.habit == "mail")
    listener = next(who for who in sitting.people if who is not speaker)
    told = frozenset({listener.name})
    canary = Canary("a pact against the third", told | {speaker.name}, told)
    text = f"tell {listener.name}: {canary.words}"
    speaker.person.answer(speaker.last_about(sitting.number), text)
    return canary


def watch(sitting: Sitting, watchers: list[Lease]) -> Canary:
    """Some people watch a game, and one of them sends a message to the other spectators."""
    speaker, *others = watchers
    for who in watchers:
        if who.by_web():
            who.browser.get(f"/games/{sitting.number}")
            assert "You watch" in who.browser.send("/settings/watch", name=sitting.number)
        else:
            who.ask(f"watch {sitting.number}", "watch")
    told = frozenset(who.name for who in others)
    known_to = frozenset(who.name for who in [*watchers, *sitting.people])
    canary = Canary("White cannot hold that", known_to, told)
    speaker.ask(f"say {sitting.number} {canary.words}", "players")
    return canary


def challenge(first: Lease, other: Lease, words: str) -> int:
    """One challenges another, who accepts; the number of the game."""
    first.ask(f"challenge {other.name} {words}", "on its way")
    return accept(other, other.find("invites you to a game"))


def counter(first: Lease, other: Lease, words: str, wishes: str) -> int:
    """One challenges another, who proposes other terms, which the first accepts; the number of the game."""
    first.ask(f"challenge {other.name} {words}", "on its way")
    before = len(first.mails)
    other.person.answer(other.find("invites you to a game"), f"counter {wishes}")
    return accept(first, first.find("proposes other terms", after=before))


def accept(who: Lease, invitation: EmailMessage) -> int:
    """Accept the proposal in an email; return the number of the game."""
    before = len(who.mails)
    who.person.answer(invitation, "accept")
    begun = who.find("The game starts", after=before)
    number = who.game_of(begun)
    assert number is not None
    return number


def keep_away(one: Lease, other: Lease) -> int:
    """One blocks another, who finds no way to play with them; how many times they were refused."""
    one.browser.get("/settings")
    if one.habit == "web":
        one.browser.send("/settings/block", name=other.name)
    else:
        one.ask(f"block {other.name}", f"You have blocked {other.name}")
    opened = _GAME.search(one.ask("seek nelaxtam", "Your game of Nelaxtam is open"))
    assert opened is not None
    number = opened[1]
    assert f"Nelaxtam {number}" not in other.ask("open nelaxtam", "There are no open games", "seek nelaxtam")
    other.ask(f"join {number}", f"There is no open game {number}")
    other.ask(f"challenge {one.name} nibble", one.name)
    one.ask(f"leave {number}", number)
    return 2


def stop_by_mail(who: Lease) -> int:
    """Want no more mail; how many they have been sent by then."""
    who.ask("stop", "No more email from Nabu")
    return len(who.mails)


def stop_on_web(who: Lease) -> None:
    """The same, on the page of one's settings."""
    who.browser.get("/settings")
    assert "You will get no more email." in who.browser.send("/settings/mail", mail="stop")


def delete_by_mail(who: Lease) -> None:
    """Delete the person's account, and confirm it."""
    who.gone = True
    who.ask("delete", "elete")
    who.person.answer(who.find("Delete your account"), "yes")


def delete_on_web(who: Lease) -> None:
    """The same, by the button in the settings and the one behind the link in the mail."""
    who.gone = True
    who.browser.get("/settings")
    who.browser.send("/settings/delete")
    told = who.follow(who.find("Delete your account"), answer="yes")
    assert "deleted" in told, told
