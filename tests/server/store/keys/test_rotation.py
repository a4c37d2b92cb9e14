"""A new secret key while games are running."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import LargeBinary
from sqlmodel import SQLModel, col, select

from mail.incoming.receiving import Received
from server.accounts import push_subscriptions
from server.cli import nabu
from server.game.log import envelopes, log, randomness
from server.game.messages import extra_text, messages
from server.game.notifications import channels
from server.game.play import conditional_moves
from server.game.spectators import abuse_reports, chat
from server.game.views.variations import Variations
from server.processes.services import Services, open_services
from server.store import inbox, seen_signatures
from server.store.db import reading, writing
from server.store.keys.rotation import reseal_all
from server.store.keys.sealing import Sealer, UnknownKey
from server.store.models import ApiAnswer, Envelope, Game, Inbox, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from server.tournaments import signup
from server.web import create_app
from tests.support.server.games import TwoPlayerGame
from tests.support.server.players import add_player
from tests.support.web.administrators import appoint
from tests.support.web.client import logged_in
from tests.support.web.push_service import Device

OLD, NEW = "k" * 32, "n" * 32


@pytest.fixture
def table(services: Services) -> TwoPlayerGame:
    """Return a game with sealed data in every table that has secrets."""
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    table.submit(0, "1 d4")
    olga = add_player(services, "olga@example.org", "Olga")
    appoint(services, olga)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        game = session.get_one(Game, table.number)
        messages.say(action, game, 0, "Good luck!")
        session.flush()
        abuse_reports.report(
            action, session.get_one(Player, table.players[1].id), abuse_reports.message_at(action, game, 1), ""
        )
        chat.post(action, session.get_one(Player, olga.id), table.number, "What a move!")
        seat = session.get_one(Seat, (table.number, 1))
        conditional_moves.store_moves(services.sealer, seat, (("c4", "d5"),))
        extra_text.keep(services.sealer, seat, "See you on Sunday.")
        channels.choose(action, seat, "ntfys://ntfy.example.org/room")
        device = Device("https://push.example.com/send/abc").subscription(services.push_keys.public)
        push_subscriptions.remember(action, session.get_one(Player, seat.player_id), 1, "Firefox", device)
        Variations(session, services.sealer, game, seat.player_id).keep(0, ["1 d4"], "")
        answer = services.sealer.seal(b'{"turn":2}')
        session.add(
            ApiAnswer(player_id=seat.player_id, key="k", fingerprint="x", sealed=answer, at=services.now())
        )
        signup.make(action, session.get_one(Player, seat.player_id), "Spring Cup", "nibble", {})
        seat.sealed_aside = services.sealer.seal_json({"answered": [1], "dropped": []})
    services.reception().store(
        [Received("smtp", "127.0.0.1", "ann@example.org", ("play@games.example.org",), b"From: a\r\n\r\nhelp")]
    )
    with writing(services.engine) as session:
        session.add(
            Inbox(
                **{
                    **session.exec(select(Inbox)).one().model_dump(exclude={"id"}),
                    "fingerprint": "x",
                    "sealed": None,
                }
            )
        )
    return table


def reopened(services: Services, key: str, old: str = "") -> Services:
    settings = services.settings.model_copy(update={"secret_key": key, "old_secret_keys": old})
    return open_services(settings, services.now)


@pytest.fixture
def both(services: Services) -> Iterator[Services]:
    """Provide services with a new key that also have the old one."""
    opened = reopened(services, NEW, OLD)
    yield opened
    opened.close()


def sealed(services: Services) -> dict[str, list[bytes]]:
    """Return all sealed data by table."""
    with reading(services.engine) as session:
        return {
            model.__name__: [
                value
                for row in session.exec(select(model))
                for name, value in row.model_dump().items()
                if name.startswith("sealed") and value is not None
            ]
            for model in SQLModel.__subclasses__()
        }


def test_every_encrypted_column_is_rotated(table: TwoPlayerGame, both: Services) -> None:
    binary = {
        f"{known.name}.{column.name}"
        for known in SQLModel.metadata.sorted_tables
        for column in known.columns
        if isinstance(column.type, LargeBinary)
    }
    assert {done.column for done in reseal_all(both.engine, both.sealer)} == binary


def test_new_key_alone_decrypts_everything_after_a_rotation(table: TwoPlayerGame, both: Services) -> None:
    before = sealed(both)
    with pytest.raises(UnknownKey):
        Sealer([NEW]).open(before["Game"][0])
    done = list(reseal_all(both.engine, both.sealer))
    assert sum(column.renewed for column in done) == sum(map(len, before.values())) > 5
    assert all(column.renewed for column in done)
    for contents in sealed(both).values():
        for content in contents:
            Sealer([NEW]).open(content)


def test_games_continue_after_a_rotation(table: TwoPlayerGame, both: Services) -> None:
    with reading(both.engine) as session:
        action = ActionContext(session, both.sealer, both.now())
        assert envelopes.open_for(action, session.exec(select(Envelope)).one())[0] == "1 d4"
    list(reseal_all(both.engine, both.sealer))
    alone = reopened(both, NEW)
    table.services = alone
    table.submit(1, "A c4")
    with reading(alone.engine) as session:
        game = session.get_one(Game, table.number)
        assert log.turn(session, game, 1).body["line"] == {"orders": {"0": "1 d4", "1": "A c4"}}
        assert randomness.seed_of(alone.sealer, game).hash == game.seed_hash
    alone.close()


def test_rotation_can_be_interrupted_and_repeated(table: TwoPlayerGame, both: Services) -> None:
    everything = sum(map(len, sealed(both).values()))
    first = next(reseal_all(both.engine, both.sealer))
    again = list(reseal_all(both.engine, both.sealer))
    assert again[0].current == first.renewed
    assert sum(column.renewed + column.current for column in again) == everything
    assert sum(column.renewed for column in reseal_all(both.engine, both.sealer)) == 0


def test_batches_leave_nothing_out(table: TwoPlayerGame, both: Services) -> None:
    everything = sum(map(len, sealed(both).values()))
    assert sum(column.renewed for column in reseal_all(both.engine, both.sealer, batch=2)) == everything


def test_undecryptable_rows_are_counted_and_left(table: TwoPlayerGame, both: Services) -> None:
    with writing(both.engine) as session:
        session.exec(select(Outbox)).all()[0].sealed = lost = Sealer(["lost" * 8]).seal(b"{}")
    (outbox,) = [done for done in reseal_all(both.engine, both.sealer) if done.column == "outbox.sealed"]
    assert outbox.unreadable == 1
    assert lost in sealed(both)["Outbox"]


def rotate(services: Services, old: str) -> Result:
    settings = {
        "NABU_SECRET_KEY": NEW,
        "NABU_OLD_SECRET_KEYS": old,
        "NABU_MAIL_DOMAIN": "games.example.org",
        "NABU_DATABASE_URL": services.settings.database_url,
    }
    return CliRunner().invoke(nabu, ["admin", "rotate-key"], env=settings)


def test_command_prints_the_results(table: TwoPlayerGame, services: Services) -> None:
    done = rotate(services, OLD)
    assert done.exit_code == 0
    assert "envelope.sealed: 1 encrypted again, 0 already up to date, 0 cannot be decrypted\n" in done.stdout
    assert "no longer needs an older key" in done.stdout


def test_command_fails_if_a_key_is_missing(table: TwoPlayerGame, services: Services) -> None:
    with writing(services.engine) as session:
        session.exec(select(Envelope)).one().sealed = Sealer(["lost" * 8]).seal(b"{}")
    done = rotate(services, OLD)
    assert done.exit_code == 1
    assert "envelope.sealed: 0 encrypted again, 0 already up to date, 1 cannot be decrypted\n" in done.stdout
    assert "NABU_OLD_SECRET_KEYS" in done.stderr


def test_reply_addresses_and_browsers_of_the_old_key_still_work(services: Services, both: Services) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    assert both.tokens.read(services.tokens.write(ReplyToken(7, 1, 3))) == ReplyToken(7, 1, 3)
    browser = logged_in(create_app(services), services, ann)
    cookie = browser.client.get_cookie("nabu")
    assert cookie is not None
    alone = reopened(services, NEW)
    for opened, status in ((both, 200), (alone, 303)):
        client = create_app(opened).test_client()
        client.set_cookie("nabu", cookie.value)
        assert client.get("/games").status_code == status
    alone.close()


def come(services: Services, text: str, head: str = "", encoding: str = "7bit") -> None:
    """Receive Ann's email, again or as changed by a relay, and handle waiting emails."""
    fixed = "From: ann@example.org\r\nMessage-ID: <1@example.org>\r\nDate: Sun, 1 Mar 2026 11:59:00 +0000\r\n"
    content = f"{head}{fixed}Content-Transfer-Encoding: {encoding}\r\n\r\n{text}\r\n".encode()
    mail = Received("smtp", "127.0.0.1", "ann@example.org", ("play@games.example.org",), content)
    services.reception().store([mail])
    while services.pipeline().handle_next(services.now()):
        pass


def handled(services: Services) -> list[str]:
    """Return the states of Ann's emails."""
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox.why).where(Inbox.sealed != None).order_by(col(Inbox.id))))  # noqa: E711


def test_handled_email_is_recognized_with_a_new_key(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    come(services, "name Anna")
    both = reopened(services, NEW, OLD)
    come(both, "name Anna")
    assert handled(both) == ["name"]
    both.close()


def test_changed_copy_of_a_handled_email_is_recognized_with_a_new_key(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    come(services, "name Anna")
    both = reopened(services, NEW, OLD)
    come(both, "name=20Anna", "Received: x\r\n", "quoted-printable")
    assert handled(both) == ["name", "a copy of an email that was already handled"]
    come(both, "name Ann")
    assert handled(both)[2:] == ["name"], "another mail"
    both.close()


def test_signature_stays_bound_to_its_email_after_a_rotation(services: Services) -> None:
    def posted(text: bytes) -> Received:
        return Received(
            "mailgun", "", "ann@example.org", ("play@games.example.org", "play+x@games.example.org"), text
        )

    first, other = posted(b"From: a\r\n\r\nhelp"), posted(b"From: a\r\n\r\nstop")
    both = reopened(services, NEW, OLD)
    for each, mail, admitted in ((services, first, True), (both, first, True), (both, other, False)):
        with writing(each.engine) as session:
            prints = inbox.fingerprints(each.sealer, mail)
            assert seen_signatures.admits(session, each.sealer, each.now(), "signature", prints) is admitted
    both.close()
