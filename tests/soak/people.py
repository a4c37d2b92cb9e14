"""A person who plays, by email or in a browser, and knows only the emails and pages that they get."""

from __future__ import annotations

import threading
from email.message import EmailMessage

from server.processes.services import Services
from server.settings.value_types import host_and_port
from server.store.db import reading
from server.store.models import Player
from tests.soak.postbox import Postbox
from tests.support.e2e.mailboxes import Person as Writer
from tests.support.evening.browser import Browser
from tests.support.evening.hands import RESIGN

DOMAIN = "example.org"
"""Where everybody has a mailbox."""


class Person:
    """Has an address, and a browser; `writes` says which of them they use."""

    def __init__(self, name: str, writes: bool, services: Services, postbox: Postbox) -> None:
        self.name, self.writes = name, writes
        self.number = 0
        self.address = f"{name.lower().replace(' ', '')}@{DOMAIN}"
        settings = services.settings
        self.browser = Browser(settings.base_url)
        self._writer = Writer(postbox, self.address, host_and_port(settings.smtp_listen), settings.mail_domain)
        self._postbox = postbox
        self._busy = threading.Lock()
        self._unanswered: dict[tuple[int, int], EmailMessage] = {}
        """By game and turn: mails that are brought again, as they are, until they are acknowledged."""

    def move(self, game: int, turn: int, text: str) -> bool:
        """Send a move, or resign; return whether it was accepted: not if no move is expected from them.

        Raises the errors of an email program or a browser without a response.
        """
        return self._by_mail(game, turn, text) if self.writes else self._by_web(game, turn, text)

    def turn_to(self, site: str, listener: tuple[str, int]) -> None:
        """Use these pages, and bring mail here, from now on."""
        self.browser.site, self._writer.server = site, listener

    def bring_again(self, game: int) -> None:
        """Send the emails about a game again that were not acknowledged, whatever has happened in it since.

        Raises the errors of an email program if nothing could be sent.
        """
        for place in [each for each in self._unanswered if each[0] == game]:
            self._writer.send(self._unanswered[place])
            del self._unanswered[place]

    def _by_mail(self, game: int, turn: int, text: str) -> bool:
        mail = self._unanswered.get((game, turn))
        if mail is None:
            asked = self._postbox.asking(self.address, game, turn)
            if asked is None:
                return False
            mail = self._unanswered[game, turn] = self._writer.answer_to(asked, text)
        self._writer.send(mail)
        del self._unanswered[game, turn]
        return True

    def _by_web(self, game: int, turn: int, text: str) -> bool:
        page = f"/games/{game}"
        with self._busy:
            self.browser.seen.clear()
            self.browser.get(page)
            if self.browser.turn != turn:
                return False
            self.browser.send(f"{page}/{'resign' if text == RESIGN else 'move'}", turn=turn, text=text)
            return self.browser.status == 200


def enter(person: Person, services: Services) -> None:
    """Log a person in by an emailed link."""
    with reading(services.engine) as session:
        link = f"/enter/{services.logins.write(session.get_one(Player, person.number))}"
    person.browser.get(link)
    person.browser.send(link, name=person.name)
