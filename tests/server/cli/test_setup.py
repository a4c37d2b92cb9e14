"""`nabu setup`: a few answers give working settings; after a wrong answer no file is written."""

from __future__ import annotations

import smtplib
import stat
import threading
from collections.abc import Sequence
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select

from mail.incoming.receiving import Listener, Received
from mail.outgoing.signing import Signer
from mail.reading.message import read
from server.cli import nabu
from server.cli.run import open_configured
from server.processes.mail_process import Mailroom
from server.settings.loading import load
from server.store.db import reading
from server.store.engines import connect
from server.store.models import Inbox, Outbox
from tests.support.machine.name_server import written
from tests.support.machine.ports import free_ports

DOMAIN, ANN = "games.example.org", "ann@example.net"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NABU_CONFIG", raising=False)


def set_up(*options: str, answers: Sequence[str] = ()) -> Result:
    return CliRunner().invoke(nabu, ["setup", *options], "".join(f"{each}\n" for each in answers))


def test_few_answers_make_settings(tmp_path: Path) -> None:
    done = set_up(answers=[DOMAIN, "", "", "", ANN, "n"])
    assert done.exit_code == 0, done.output
    file = tmp_path / "nabu.env"
    settings = load(file)
    assert settings.base_url == f"https://{DOMAIN}"
    assert (settings.lmtp_listen, settings.smtp_listen) == ("127.0.0.1:2424", "")
    assert settings.administrator == ANN
    assert settings.database_url == f"sqlite:///{tmp_path}/var/nabu.db"
    for secret in (file, tmp_path / "dkim.pem"):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert settings.secret_key not in done.output
    assert not (tmp_path / "var").exists()
    assert f"\nnabu --config {file} doctor --to {ANN}\n" in done.output


def test_printed_command_needs_no_option_for_the_usual_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NABU_CONFIG", str(tmp_path / "nabu.env"))
    done = set_up(answers=[DOMAIN, "", "", "", ANN, "n"])
    assert f"\nnabu doctor --to {ANN}\n" in done.output


def test_dns_records_are_in_zone_file_format(tmp_path: Path) -> None:
    done = set_up("--no-try", answers=[DOMAIN, "", "", "", ANN])
    lines = [line for line in done.output.splitlines() if " IN " in line]
    records = written("\n".join(lines) + "\n")
    signer = Signer(DOMAIN, "nabu", (tmp_path / "dkim.pem").read_bytes())
    (key,) = records[f"{signer.name}.", "TXT"]
    assert key.replace('" "', "").strip('"') == signer.record
    assert records[f"{DOMAIN}.", "MX"] == [f"10 {DOMAIN}."]
    assert f"transport_maps = inline:{{ {DOMAIN}=lmtp:inet:127.0.0.1:2424 }}" in done.output


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (["a b"], "must be a domain, such as games.example.org"),
        (
            [DOMAIN, "games"],
            "must be a URL that begins with https:// or http://, such as https://games.example.org",
        ),
        (
            [DOMAIN, "", "smtp://user:secret@mail.example.org"],
            "must begin with smtp+starttls:// or smtps://, as the password would not be encrypted",
        ),
        ([DOMAIN, "", "", "pigeon"], "'pigeon' is not one of"),
        ([DOMAIN, "", "", "", "ann"], "must be an email address, such as admin@example.org"),
        ([DOMAIN, "", "", "imap", ANN, "imaps://nabu:pw@imap.example.org", "a+b"], "no plus sign"),
        ([DOMAIN, "", "", "imap", ANN, "imap.example.org"], "imaps://"),
    ],
)
def test_impossible_answer_is_asked_again(answers: list[str], told: str, tmp_path: Path) -> None:
    done = set_up(answers=answers)
    assert told in done.output
    assert done.exit_code == 1, "the answers ended"
    assert list(tmp_path.iterdir()) == []


def test_existing_settings_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "nabu.env"
    file.write_text("NABU_SECRET_KEY=mine\n")
    done = set_up("--no-try", answers=[])
    assert done.exit_code == 1
    assert "its secret key opens the database" in done.output
    assert "Domain of Nabu" not in done.output, "no question is asked in vain"
    assert file.read_text() == "NABU_SECRET_KEY=mine\n"
    assert list(tmp_path.iterdir()) == [file]


def test_mailbox_at_a_provider_needs_no_dns_records(tmp_path: Path) -> None:
    answers = [DOMAIN, "", "", "imap", ANN, "imaps://nabu:pw@imap.example.org", "nabu"]
    done = set_up("--no-try", answers=answers)
    assert done.exit_code == 0, done.output
    assert " IN " not in done.output
    settings = load(tmp_path / "nabu.env")
    assert settings.imap_url == "imaps://nabu:pw@imap.example.org"
    assert settings.plain_address == f"nabu@{DOMAIN}"
    assert settings.dkim_key == "", "the provider signs"


def test_dns_record_for_optional_signing_is_shown(tmp_path: Path) -> None:
    answers = [DOMAIN, "", "", "imap", ANN, "imaps://nabu:pw@imap.example.org", "nabu"]
    done = set_up("--no-try", "--dkim", answers=answers)
    assert f"nabu._domainkey.{DOMAIN}. IN TXT" in done.output
    assert " MX " not in done.output


class Ann:
    """A person with a mail server who replies to each email."""

    def __init__(self, nabu_port: int) -> None:
        self._nabu = nabu_port
        self.answers = True
        self.got: list[bytes] = []
        self.server = Listener(
            "127.0.0.1",
            0,
            protocol="smtp",
            hostname="mail.example.net",
            accepts=lambda recipient: None if self.answers else "554 5.7.1 Relay access denied",
            own=lambda peer: True,
            store=self._take,
        )

    def _take(self, mails: Sequence[Received]) -> None:
        for mail in mails:
            self.got.append(mail.content)
            threading.Thread(
                target=self._answer, args=(read(mail.content, mail_from="", own="").message_id,)
            ).start()

    def _answer(self, message_id: str) -> None:
        answer = EmailMessage()
        answer["From"], answer["To"] = ANN, f"play@{DOMAIN}"
        answer["Subject"], answer["In-Reply-To"] = "Re: Please answer", f"<{message_id.strip('<>')}>"
        answer.set_content("Here I am!")
        with smtplib.LMTP("127.0.0.1", self._nabu) as way:
            way.send_message(answer)


@pytest.mark.slow
@pytest.mark.parametrize("answers", [True, False])
def test_test_email_is_sent_and_its_answer_awaited(
    answers: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [port] = free_ports(1)
    monkeypatch.setenv("NABU_LMTP_LISTEN", f"127.0.0.1:{port}")
    ann = Ann(port)
    ann.answers = answers
    ann.server.start()
    try:
        relay = "smtp://{}:{}".format(*ann.server.address)
        done = set_up("--try", answers=[DOMAIN, "", relay, "", ANN])
    finally:
        ann.server.stop()
    if not answers:
        assert done.exit_code == 1
        assert "Relay access denied" in done.output
        assert "Allow this sender address at the relay" in done.output
        return
    assert "Your reply came in after" in done.output
    command = f"nabu --config {tmp_path / 'nabu.env'}"
    assert f"Now start Nabu ({command} serve), then run {command} doctor." in done.output
    assert b"DKIM-Signature" in ann.got[0]
    engine = connect(load(tmp_path / "nabu.env").database_url)
    with reading(engine) as session:
        assert session.exec(select(Inbox.state)).all() in (["done"], ["new"])
        assert session.exec(select(Outbox)).all() == [], "no email is answered"
    engine.dispose()


@pytest.mark.slow
def test_test_email_can_be_sent_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [port] = free_ports(1)
    monkeypatch.setenv("NABU_LMTP_LISTEN", f"127.0.0.1:{port}")
    ann, file = Ann(port), tmp_path / "nabu.env"
    ann.server.start()
    try:
        relay = "smtp://{}:{}".format(*ann.server.address)
        set_up("--no-try", answers=[DOMAIN, "", relay, "", ANN])
        command = ["--config", str(file), "doctor", "--to", ANN]
        assert "nabu db upgrade" in CliRunner().invoke(nabu, command).output, "there is no database yet"
        with closing(open_configured(file, upgrade=True)) as services:
            room = Mailroom(services)
            room.start()
            try:
                done = CliRunner().invoke(nabu, command)
            finally:
                room.stop()
    finally:
        ann.server.stop()
    assert done.exit_code == 0, done.output
    assert "Your reply came in after" in done.output


def test_test_email_needs_an_address_and_prints_no_json() -> None:
    said = [CliRunner().invoke(nabu, ["doctor", "--to", *rest]) for rest in ([""], [ANN, "--json"])]
    assert [each.exit_code != 0 for each in said] == [True, True]
    assert "cannot be combined with --json" in said[1].output
