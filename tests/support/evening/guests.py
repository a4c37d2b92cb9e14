"""A guest at the evening, who reads each email in order and answers by email or on the web."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from email.message import EmailMessage
from itertools import islice
from random import Random
from typing import Literal

from mail.addresses import tagged
from server.store.tokens import ReplyToken, TokenSigner
from tests.support.e2e.mailboxes import PATIENCE, Person, text_of, words_of
from tests.support.evening.browser import Browser
from tests.support.evening.hands import RESIGN, Hands, Played
from tests.support.evening.house import House

Habit = Literal["mail", "web", "both"]
_LINK = re.compile(r"http://\S+/(?:enter|confirm)/\S+")
_LOOK = 0.5
"""Seconds after which somebody who waits for mail looks whether the evening is over."""


class Lease:
    """Has a mailbox, a browser and hands; `habit` says by which way they do what can be done by both."""

    def __init__(self, name: str, habit: Habit, house: House, hands: Hands) -> None:
        self.name = name
        self.habit = habit
        self.address = f"{name.lower()}@example.org"
        self.browser = Browser(house.site)
        self.person = Person(house.world, self.address, house.listener, house.settings.mail_domain)
        self._hands = hands
        self._tokens = TokenSigner(house.settings.secret_keys)
        self._below = Random(name).randrange
        self.gone = False
        """Whether they have stopped playing and read nothing any more."""
        self._answered: set[ReplyToken] = set()
        self._open: set[int] = set()
        """Games whose pages are open: their turns are not mailed, or only later."""

    @property
    def mails(self) -> list[EmailMessage]:
        """All that they were mailed."""
        return self.person.world.mails_to(self.address)

    @property
    def shown(self) -> str:
        """All that they were mailed, and that pages have shown them."""
        return " ".join([*map(words_of, self.mails), *(page for _, page in self.browser.seen)])

    def by_web(self) -> bool:
        """Return whether they act on the web next."""
        return self.habit == "web" or (self.habit == "both" and self._below(2) == 0)

    def live(self, over: threading.Event) -> None:
        """Read mails as they come, look at the pages that are open, and move where that is asked."""
        while not (over.is_set() or self.gone):
            for mail in self.person.world.later_mails(self.address, self.person.read, _LOOK):
                self.person.read += 1
                self._read(mail)
            for number in list(self._open):
                self._look(number)

    def sit_at(self, number: int) -> None:
        """Have the page of a game open from now on."""
        self._open.add(number)

    def find(self, *words: str, after: int = 0) -> EmailMessage:
        """The first mail to them that says all of this, as soon as there is one; `after` so many others."""
        end = time.monotonic() + PATIENCE
        seen = after
        while True:
            for mail in self.mails[seen:]:
                seen += 1
                told = f"{mail['Subject']} {words_of(mail)}"
                if all(word in told for word in words):
                    return mail
            last = words_of(self.mails[-1])[:300] if self.mails else "nothing"
            assert time.monotonic() < end, f"{self.name} never heard “{words}”; the last was: {last}"
            self.person.world.later_mails(self.address, seen, _LOOK)

    def ask(self, text: str, *words: str) -> str:
        """Write to the plain address; what the answer with these words says."""
        before = len(self.mails)
        self.person.write(text)
        return words_of(self.find(*words, after=before))

    def last_about(self, number: int) -> EmailMessage:
        """The last mail about a game that can be answered."""
        return next(mail for mail in reversed(self.mails) if self.game_of(mail) == number)

    def mails_about(self, number: int) -> list[EmailMessage]:
        """All mails that belong to a game, in the order in which they came."""
        return [mail for mail in self.mails if self.game_of(mail) == number]

    def game_of(self, mail: EmailMessage) -> int | None:
        """The number of the game that an answer to a mail would be about."""
        about = self._token(mail)
        return None if about is None else about.game

    def register(self) -> None:
        """Become a player, by mail or on the home page; those who use the web are logged in then."""
        if self.habit == "web":
            self.browser.get("/")
            self.browser.send("/register", name=self.name, email=self.address)
            self.follow(self.find("/enter/"))
        else:
            self.ask(f"register {self.name}", "Welcome")
        if self.habit == "both":
            self.person.write("login")
            self.follow(self.find("/enter/"))

    def follow(self, mail: EmailMessage, **fields: str) -> str:
        """Open the link in a mail and press the button there."""
        found = _LINK.search(text_of(mail))
        assert found is not None
        with self.browser.alone:
            self.browser.get(found[0])
            return self.browser.send(found[0], **(fields or {"name": self.name}))

    def _read(self, mail: EmailMessage) -> None:
        about = self._token(mail)
        if about is None or about in self._answered or not asks(mail, about.turn):
            return
        if self.by_web():
            self.sit_at(about.game)
        elif text := self._next(about):
            self.person.answer(mail, text)
            self._note(about, text, "mail")

    def _look(self, number: int) -> None:
        """Look at the page of a game if there is news on it, and move there."""
        page = f"/games/{number}"
        if self.browser.is_news(f"{page}/now"):
            with self.browser.alone:
                self._move_on(page, number)

    def _move_on(self, page: str, number: int) -> None:
        self.browser.get(page)
        if self.browser.over:
            self._open.discard(number)
        if not self.browser.turn:
            return
        about = ReplyToken(number, self._hands.seat(number, self.address), self.browser.turn)
        if about not in self._answered and (text := self._next(about)):
            what = "resign" if text == RESIGN else "move"
            told = self.browser.send(f"{page}/{what}", turn=about.turn, text=text)
            if f"Game {number} is over." in told:
                return  # the opponent has left meanwhile
            assert self.browser.status == 200, f"{text} in {about}: {told}"
            self._note(about, text, "web")

    def _next(self, about: ReplyToken) -> str:
        return self._hands.next(about.game, about.turn, about.seat)

    def _note(self, about: ReplyToken, text: str, way: str) -> None:
        self._answered.add(about)
        if text != RESIGN:
            self._hands.note(Played(about.game, about.turn, about.seat, text, way))

    def _token(self, mail: EmailMessage) -> ReplyToken | None:
        found = self._tokens.read(tagged(str(mail["Reply-To"]))[1])
        # On pages the turn is the same, but no board is named.
        return replace(found, mark=0) if isinstance(found, ReplyToken) else None


def in_groups(sizes: Iterable[int], guests: Sequence[Lease]) -> list[list[Lease]]:
    """So many of the guests after one another in each group."""
    left = iter(guests)
    return [list(islice(left, size)) for size in sizes]


def asks(mail: EmailMessage, turn: int) -> bool:
    """Return whether an email asks for a move in this turn."""
    told = words_of(mail)
    return f"Turn {turn}." in told and ("Your move." in told or "Write your orders." in told)
