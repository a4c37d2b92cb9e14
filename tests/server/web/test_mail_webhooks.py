"""Emails that providers post to webhooks: checked, and stored before they are acknowledged."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from flask import Flask
from sqlmodel import col, select

from mail.incoming.batching import NoRoom
from mail.incoming.receiving import MAX_SIZE
from mail.incoming.webhooks.certificates import MOST_EACH
from server.jobs.retention import throw_away
from server.processes.services import Services, open_services
from server.store.db import reading, writing
from server.store.models import Entry, Inbox, Ticket
from server.store.tokens import ReplyToken
from server.web import create_app
from server.web.mail_webhooks import LARGEST_REQUEST, fetched
from tests.support.mail import amazon_webhook as amazon
from tests.support.mail import webhook_requests as others
from tests.support.mail.webhook_requests import Request
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

PASSWORD = "correct-horse-battery"
PROVIDERS = {
    "mailgun/mime": {"mailgun_signing_key": "key-1"},
    "postmark": {"postmark_password": PASSWORD},
    "sendgrid": {"sendgrid_public_key": others.der(others.EC.public_key())},
    "amazon": {"amazon_topics": amazon.TOPIC},
}


def mailgun(raw: bytes, sender: str, recipient: str) -> Request:
    return others.mailgun_request({"body-mime": raw, "sender": sender, "recipient": recipient})


def postmark(raw: bytes, sender: str, recipient: str) -> Request:
    raw = f"Return-Path: <{sender}>\r\n".encode() + raw
    body = others.postmark_body(RawEmail=raw.decode(), OriginalRecipient=recipient)
    return others.basic(f"nabu:{PASSWORD}"), body


def sendgrid(raw: bytes, sender: str, recipient: str) -> Request:
    envelope = json.dumps({"from": sender, "to": [recipient]})
    return others.sendgrid_request({"email": raw, "envelope": envelope})


def from_amazon(raw: bytes, sender: str, recipient: str, **verdicts: object) -> Request:
    receipt = {"recipients": [recipient], "action": {"type": "SNS", "encoding": "UTF-8"}, **verdicts}
    said = amazon.notification(content=raw.decode(), mail={"source": sender}, receipt=receipt)
    return {}, json.dumps(amazon.signed(Message=said)).encode()


Posted = Callable[[bytes, str, str], Request]
POSTED: dict[str, Posted] = {
    "mailgun/mime": mailgun, "postmark": postmark, "sendgrid": sendgrid, "amazon": from_amazon,
}  # fmt: skip
every_provider = pytest.mark.parametrize("provider", POSTED)


@dataclass
class Site:
    """The web pages with all webhooks, and a game."""

    services: Services
    app: Flask
    web: amazon.Web
    table: TwoPlayerGame

    def post(self, provider: str, request: Request) -> tuple[int, str]:
        """Post a request and return the status and text of the response."""
        headers, body = request
        answer = self.app.test_client().post(f"/mail/{provider}", data=body, headers=headers)
        return answer.status_code, answer.text

    def reply(self, text: str = "c3", *, to: str = "") -> tuple[bytes, str, str]:
        """Return an email of the player to move, with the sender and recipient of its envelope."""
        token = self.services.tokens.write(ReplyToken(self.table.number, 0, 1))
        sender, to = self.table.players[0].email, to or f"play+{token}@games.example.org"
        head = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <1@x>\r\nSubject: Re\r\n\r\n"
        return (head + text + "\r\n").encode(), sender, to

    def rows(self) -> list[Inbox]:
        with reading(self.services.engine) as session:
            return list(session.exec(select(Inbox).order_by(col(Inbox.id))))

    def turns(self) -> int:
        while self.services.pipeline().handle_next(self.services.now()):
            pass
        with reading(self.services.engine) as session:
            return len(list(session.exec(select(Entry).where(col(Entry.turn).is_not(None)))))


def opened(services: Services, **settings: str) -> Site:
    """Return a site with other settings."""
    services = open_services(services.settings.model_copy(update=settings), services.now)
    web = amazon.Web()
    return Site(
        services, create_app(services, web.fetch), web, TwoPlayerGame(services, "nebuchadnezzar", size=5)
    )


@pytest.fixture
def site(services: Services, clock: Clock) -> Iterator[Site]:
    clock.time = others.NOW
    settings = {name: value for given in PROVIDERS.values() for name, value in given.items()}
    site = opened(services, **settings)
    yield site
    site.services.close()


@pytest.fixture
def at_provider(site: Site, clock: Clock) -> Callable[[str], None]:
    """Set the clock to the time of the provider's request. Amazon's certificate was made for this test."""

    def at(provider: str) -> None:
        clock.time = amazon.NOW if provider == "amazon" else others.NOW

    return at


@every_provider
def test_posted_turn_is_played(site: Site, at_provider: Callable[[str], None], provider: str) -> None:
    at_provider(provider)
    raw, sender, recipient = site.reply()
    assert site.post(provider, POSTED[provider](raw, sender, recipient)) == (200, "The email is stored.\n")
    [row] = site.rows()
    assert (row.source, row.mail_from, row.recipient) == (provider.split("/")[0], sender, recipient)
    assert row.sealed is not None
    assert site.services.sealer.open(row.sealed).endswith(raw)
    assert site.turns() == 1


@every_provider
def test_email_posted_twice_counts_once(site: Site, at_provider: Callable[[str], None], provider: str) -> None:
    at_provider(provider)
    for _ in range(2):
        assert site.post(provider, POSTED[provider](*site.reply()))[0] == 200
        assert site.turns() == 1
    assert len(site.rows()) == 1


@every_provider
def test_email_for_no_known_address_is_quarantined(
    site: Site, at_provider: Callable[[str], None], provider: str
) -> None:
    at_provider(provider)
    mail = site.reply("register Eve", to="play+nonsense@games.example.org")
    assert site.post(provider, POSTED[provider](*mail))[0] == 200
    assert site.turns() == 0
    [row] = site.rows()
    assert (row.state, row.why) == ("quarantined", "it has no address of Nabu's")


@every_provider
def test_request_without_proof_is_refused(
    site: Site, at_provider: Callable[[str], None], provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    at_provider(provider)
    headers, body = POSTED[provider](*site.reply())
    wrong = {"mailgun/mime": b"signature=", "postmark": b"", "sendgrid": b"c3", "amazon": b'"Signature": "'}
    if provider == "postmark":
        headers = others.basic("nabu:guessed-at-random")
    with caplog.at_level(logging.WARNING):
        status, text = site.post(provider, (headers, body.replace(wrong[provider], wrong[provider] + b"x")))
    assert status == 403
    assert text.strip() in caplog.text
    assert text.endswith(".\n")
    assert site.rows() == []


@every_provider
def test_request_without_an_email_is_refused(
    site: Site, at_provider: Callable[[str], None], provider: str
) -> None:
    at_provider(provider)
    headers, body = POSTED[provider](*site.reply())
    if provider == "sendgrid":
        headers, body = others.sendgrid_request({"email": b""})
    elif provider == "amazon":
        body = json.dumps(amazon.signed(Message="hello")).encode()
    else:
        body = body.replace(b"body-mime", b"body").replace(b"RawEmail", b"Raw")
    assert site.post(provider, (headers, body))[0] == 400
    assert site.rows() == []


@pytest.mark.parametrize("depth", [900, 100_000])
@pytest.mark.parametrize("provider", ["postmark", "amazon"])
def test_too_deeply_nested_request_is_refused(site: Site, provider: str, depth: int) -> None:
    headers, _ = POSTED[provider](*site.reply())
    status, said = site.post(provider, (headers, b'{"x":' + b"[" * depth + b"]" * depth + b"}"))
    assert (status, said.count("\n") <= 1) == (400, True), said


@pytest.mark.slow
@every_provider
def test_only_configured_providers_are_accepted(
    services: Services, clock: Clock, at_provider: Callable[[str], None], provider: str
) -> None:
    at_provider(provider)
    for others_set in ({}, *(given for name, given in PROVIDERS.items() if name != provider)):
        other = open_services(services.settings.model_copy(update=others_set), clock)
        answer = create_app(other).test_client().post(f"/mail/{provider}", data=b"x")
        other.close()
        assert answer.status_code == 404


@pytest.mark.slow
@every_provider
def test_database_outage_makes_the_provider_retry(
    site: Site, at_provider: Callable[[str], None], provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    at_provider(provider)
    request = POSTED[provider](*site.reply())
    away = site.services.settings.model_copy(
        update={"database_url": "postgresql+psycopg://nobody:hush@127.0.0.1:1/x"}
    )
    broken = Site(
        site.services, create_app(open_services(away, site.services.now), site.web.fetch), site.web, site.table
    )
    status, text = broken.post(provider, request)
    assert (status, text) == (503, "The email could not be stored; please try again later.\n")
    assert "hush" not in caplog.text
    assert site.post(provider, request)[0] == 200
    assert site.turns() == 1


@every_provider
def test_lack_of_room_makes_the_provider_retry(
    site: Site, at_provider: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    at_provider(provider)
    request = POSTED[provider](*site.reply())
    with monkeypatch.context() as without_room:
        without_room.setattr("server.inbound.reception.check_disk", refuse)
        status, text = site.post(provider, request)
        assert (status, text) == (503, "There is no room for the email now; please try again later.\n")
    assert site.rows() == []
    assert site.post(provider, request)[0] == 200


def refuse(*_: object) -> None:
    raise NoRoom("a budget is used up")


def test_email_may_be_larger_than_other_forms(site: Site) -> None:
    raw, sender, recipient = site.reply("c3\r\n\r\n" + "x" * 100_000)
    assert site.post("postmark", postmark(raw, sender, recipient))[0] == 200
    assert site.turns() == 1


def test_too_large_email_is_refused(site: Site) -> None:
    raw, sender, recipient = site.reply("c3\r\n" + "x" * MAX_SIZE)
    status, text = site.post("postmark", postmark(raw, sender, recipient))
    assert (status, "larger than" in text) == (413, True)
    assert site.post("postmark", ({}, b"x" * (LARGEST_REQUEST + 1)))[0] == 413
    assert site.rows() == []


def test_only_own_host_names_are_accepted(site: Site) -> None:
    headers, body = postmark(*site.reply())
    answer = site.app.test_client().post(
        "/mail/postmark", data=body, headers={**headers, "Host": "evil.example"}
    )
    assert answer.status_code == 400


def test_password_for_sendgrid_is_accepted(services: Services, clock: Clock) -> None:
    site = opened(services, sendgrid_password=PASSWORD)
    raw, sender, recipient = site.reply()
    envelope = json.dumps({"from": sender, "to": [recipient]})
    headers, body = others.sendgrid_request({"email": raw, "envelope": envelope}, sign=False)
    assert site.post("sendgrid", (headers, body))[0] == 403
    assert site.post("sendgrid", (headers | others.basic(f"nabu:{PASSWORD}"), body))[0] == 200
    assert site.turns() == 1
    site.services.close()


class TestAmazon:
    def confirmation(self, **changes: str) -> Request:
        given = {"Type": "SubscriptionConfirmation", "SubscribeURL": amazon.SUBSCRIBE, "Token": "2336"}
        return {}, json.dumps(amazon.signed(**{**given, "Message": "You", **changes})).encode()

    @pytest.fixture(autouse=True)
    def now(self, site: Site, clock: Clock) -> None:
        clock.time = amazon.NOW

    def test_subscription_of_the_own_topic_is_confirmed(self, site: Site) -> None:
        assert site.post("amazon", self.confirmation())[0] == 200
        assert site.web.asked == [amazon.CERTIFICATE, amazon.SUBSCRIBE]
        assert site.rows() == []

    def test_other_topics_are_refused(self, site: Site) -> None:
        assert site.post("amazon", self.confirmation(TopicArn=amazon.TOPIC + "2"))[0] == 403
        assert site.web.asked == []

    def test_subscription_without_amazons_signature_is_not_confirmed(self, site: Site) -> None:
        _, body = self.confirmation()
        assert site.post("amazon", ({}, body.replace(b"Token=2336", b"Token=2337")))[0] == 403
        assert amazon.SUBSCRIBE not in site.web.asked

    def test_certificate_is_fetched_once(self, site: Site) -> None:
        for text in ("c3", "d4"):
            assert site.post("amazon", from_amazon(*site.reply(text)))[0] == 200
        assert site.web.asked == [amazon.CERTIFICATE]

    def test_unavailable_certificate_makes_amazon_retry(self, site: Site) -> None:
        def fetch(url: str) -> bytes:
            raise ConnectionError(url)

        app = create_app(site.services, fetch)
        away = Site(site.services, app, site.web, site.table)
        assert away.post("amazon", from_amazon(*site.reply()))[0] == 503
        assert site.rows() == []

    @pytest.mark.parametrize(("status", "turns"), [("PASS", 1), ("GRAY", 1), ("FAIL", 0)])
    def test_verdict_of_the_provider_on_the_sender_counts(self, site: Site, status: str, turns: int) -> None:
        request = from_amazon(*site.reply(), dmarcVerdict={"status": status})
        assert site.post("amazon", request)[0] == 200
        assert site.turns() == turns
        if not turns:
            assert site.rows()[0].why == "waits for its sender's confirmation"


def test_unsigned_requests_cause_few_fetches(site: Site, at_provider: Callable[[str], None]) -> None:
    at_provider("amazon")
    _, body = from_amazon(*site.reply())
    certificate = amazon.CERTIFICATE.encode()
    for number in range(MOST_EACH + 5):
        another = certificate.replace(b"0123abcd", b"%x" % number)
        site.post("amazon", ({}, body.replace(certificate, another).replace(b'ture": "', b'ture": "x')))
    assert len(site.web.asked) == MOST_EACH


def test_fetch_follows_no_redirect() -> None:
    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{server.server_port}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    asked: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), Elsewhere)
    with server, ThreadPoolExecutor(1) as pool:
        serving = pool.submit(server.serve_forever, 0.01)
        with pytest.raises(OSError, match="302"):
            fetched(f"http://127.0.0.1:{server.server_port}/certificate")
        server.shutdown()
        serving.result()
    assert asked == ["/certificate"]


def test_signature_of_mailgun_is_valid_for_one_email(site: Site) -> None:
    raw, sender, recipient = site.reply()
    assert site.post("mailgun/mime", mailgun(raw, sender, recipient))[0] == 200
    refused = (403, "Mailgun's signature already came with another email.\n")
    for other in ((raw.replace(b"c3", b"resign"), sender), (raw, "eve@example.com")):
        assert site.post("mailgun/mime", mailgun(*other, recipient)) == refused
    # The same email may arrive again with additional header fields.
    assert site.post("mailgun/mime", mailgun(b"Received: from x\r\n" + raw, sender, recipient))[0] == 200
    assert [row.mail_from for row in site.rows()] == [sender]
    assert site.turns() == 1


def test_signature_of_mailgun_is_valid_once_for_simultaneous_requests(site: Site) -> None:
    raw, sender, recipient = site.reply()
    mails = [raw + b"%d\r\n" % number for number in range(8)]
    with ThreadPoolExecutor(len(mails)) as pool:
        posted = [pool.submit(site.post, "mailgun/mime", mailgun(mail, sender, recipient)) for mail in mails]
        answers = sorted(status for status, _ in (each.result() for each in posted))
    assert answers == [200, *[403] * 7]
    assert len(site.rows()) == 1


def test_old_signatures_are_forgotten(site: Site, clock: Clock) -> None:
    assert site.post("mailgun/mime", mailgun(*site.reply()))[0] == 200
    for days, left in ((1, 1), (2, 0)):
        clock.advance(days=days)
        with writing(site.services.engine) as session:
            throw_away(session, site.services.now(), timedelta(days=14))
        with reading(site.services.engine) as session:
            assert len(list(session.exec(select(Ticket)))) == left


def test_old_signature_of_mailgun_is_refused(site: Site, clock: Clock) -> None:
    request = mailgun(*site.reply())
    clock.time = others.NOW + timedelta(minutes=11)
    assert site.post("mailgun/mime", request) == (403, "Mailgun's signature is too old.\n")
