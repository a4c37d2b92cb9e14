"""Settings: their errors, and their order of precedence."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.settings import Settings
from server.settings.loading import BadSettings, load

GOOD = {"secret_key": "k" * 32, "mail_domain": "games.example.org"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"secret_key": "short"}, "NABU_SECRET_KEY: .*at least 32"),
        ({"database_url": "mysql://x"}, "NABU_DATABASE_URL: must be sqlite"),
        ({"smtp_listen": "everywhere"}, "NABU_SMTP_LISTEN: 'everywhere' is not HOST:PORT"),
        ({"smtp_listen": "a..b:25"}, "NABU_SMTP_LISTEN: 'a..b:25' is not HOST:PORT"),
        ({"http_listen": ""}, "NABU_HTTP_LISTEN: '' is not HOST:PORT"),
        ({"mail_domain": ""}, "NABU_MAIL_DOMAIN: must be a domain, such as games.example.org"),
        ({"mail_domain": "ann@example.org"}, "NABU_MAIL_DOMAIN: must be a domain, such as games.example.org"),
        ({"database_url": "postgresql://host:port/x"}, "NABU_DATABASE_URL: must be sqlite"),
        ({"administrator": "\udcff"}, "NABU_ADMINISTRATOR: it is not UTF-8 text"),
        ({"keep_mail_days": "9" * 30}, "NABU_KEEP_MAIL_DAYS: .* less than or equal to 36500"),
        ({"imap_pause": "9" * 30}, "NABU_IMAP_PAUSE: .* less than or equal to 86400"),
        ({"base_url": "games.example.org"}, "NABU_BASE_URL: must be a URL, such as https"),
        ({"check_senders": "maybe"}, "NABU_CHECK_SENDERS: must be auto, true or false"),
        ({"log_level": "loud"}, "NABU_LOG_LEVEL: must be DEBUG"),
        ({"give_up_days": "0"}, "NABU_GIVE_UP_DAYS"),
        ({"mail_name": "some+body"}, "NABU_MAIL_NAME: must have 1 to 23 letters"),
        ({"mail_name": "x" * 24}, "NABU_MAIL_NAME: must have 1 to 23 letters"),
        ({"imap_url": "mail.example.org"}, "NABU_IMAP_URL: a mailbox has the shape imaps://"),
        (
            {"imap_url": "imap://a:b@mail.example.org"},
            "NABU_IMAP_URL: Nabu sends passwords to other machines only encrypted",
        ),
        ({"imap_url": "imaps://a:b@c/In", "imap_handled": "In"}, "NABU_IMAP_HANDLED: .* their own folder"),
        ({"imap_handled": ""}, "NABU_IMAP_HANDLED: .* their own folder"),
        ({"imap_pause": "0"}, "NABU_IMAP_PAUSE"),
        ({"postmark_password": "short"}, "NABU_POSTMARK_PASSWORD: .* at least 16 characters"),
        ({"sendgrid_password": "short"}, "NABU_SENDGRID_PASSWORD: .* at least 16 characters"),
        ({"sendgrid_public_key": "AAAA"}, "NABU_SENDGRID_PUBLIC_KEY: SendGrid's public key is not a key"),
        ({"backup_recipients": "age1x"}, "NABU_BACKUP_RECIPIENTS: must be public keys of age, such as age1…"),
        ({"amazon_topics": "mail"}, "NABU_AMAZON_TOPICS: a topic looks like arn:aws:sns:"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_right(given: dict[str, str], expected: str) -> None:
    with pytest.raises(BadSettings, match=expected):
        load(**{**GOOD, **given})


@pytest.mark.parametrize(
    "given",
    [
        {"imap_url": "imaps://ann:hush-hush@mail.example.org?x"},
        {"imap_url": "imap://ann:hush-hush@mail.example.org"},
        {"imap_url": "imaps://ann:hush-hush@mail.example.org/In", "imap_handled": "In"},
        {"database_url": "postgresql://ann:hush-hush@host:port/x"},
        {"postmark_password": "hush-hush"},
        {"sendgrid_public_key": "hush-hush"},
    ],
)
def test_no_secret_is_shown_with_what_is_wrong(given: dict[str, str]) -> None:
    with pytest.raises(BadSettings) as error:
        load(**{**GOOD, **given})
    assert "hush" not in str(error.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    for file in (tmp_path / "nabu.env", tmp_path):
        with pytest.raises(BadSettings, match="does not exist or cannot be read"):
            load(file)


def test_all_that_is_missing_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NABU_SECRET_KEY", "NABU_MAIL_DOMAIN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BadSettings) as error:
        load()
    assert "NABU_SECRET_KEY is not set" in str(error.value)
    assert "NABU_MAIL_DOMAIN is not set" in str(error.value)


def test_a_file_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "nabu.env"
    file.write_text(f"NABU_SECRET_KEY={'f' * 32}\nNABU_MAIL_DOMAIN=file.example.org\n")
    assert load(file).mail_domain == "file.example.org"


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "nabu.env"
    file.write_text(f"NABU_SECRET_KEY={'f' * 32}\nNABU_MAIL_DOMAIN=file.example.org\n")
    monkeypatch.setenv("NABU_MAIL_DOMAIN", "environment.example.org")
    assert load(file).mail_domain == "environment.example.org"


def test_a_domain_may_be_as_long_as_names_are() -> None:
    longest = "x." * 126 + "y"
    assert load(**GOOD | {"mail_domain": longest}).mail_domain == longest
    with pytest.raises(BadSettings, match="must be a domain"):
        load(**GOOD | {"mail_domain": "x" + longest})


def test_a_plain_postgresql_url_is_understood() -> None:
    url = load(**GOOD, database_url="postgresql://nabu@db/nabu").database_url
    assert url == "postgresql+psycopg://nabu@db/nabu"


def test_every_setting_has_a_description() -> None:
    descriptions = [field.description for field in Settings.model_fields.values()]
    assert all(descriptions)
    assert len(set(descriptions)) == len(descriptions)


def test_older_keys_are_parted_by_commas_with_or_without_blanks() -> None:
    settings = load(**GOOD, old_secret_keys=f"{'a' * 32}, {'b' * 32},")
    assert settings.secret_keys == ("k" * 32, "a" * 32, "b" * 32)


@pytest.mark.parametrize(
    ("written", "authserv_ids", "checks", "believes"),
    [
        ("auto", "", True, False),
        ("", "", True, False),
        ("auto", "mx.example.org", False, False),
        ("true", "mx.example.org", True, False),
        ("1", "", True, False),
        ("False", "", False, True),
        ("off", "mx.example.org", False, True),
    ],
)
def test_senders_are_checked_unless_another_does_it_or_it_is_switched_off(
    written: str, authserv_ids: str, checks: bool, believes: bool
) -> None:
    settings = load(**GOOD, check_senders=written, authserv_ids=authserv_ids)
    assert (settings.checks_senders, settings.believes_senders) == (checks, believes)
    assert load(**GOOD).checks_senders
