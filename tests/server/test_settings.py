"""Settings: their errors, and their order of precedence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import AfterValidator

from server.settings import Settings
from server.settings.errors import example
from server.settings.loading import BadSettings, load
from server.settings.value_types import HIDDEN

GOOD = {"secret_key": "k" * 32, "mail_domain": "games.example.org"}
NONSENSE = "'\t @ :"
"""Text that no setting with a form of its own accepts."""
BYTES = "\udcff"
"""A byte of the environment that is not UTF-8."""
PYDANTIC = re.compile(r"Input should|Value error|validation error|\[type=|String should|unable to")

SET_BY_KUBERNETES = {
    "NABU_PORT": "tcp://10.0.0.1:8000",
    "NABU_PORT_8000_TCP": "tcp://10.0.0.1:8000",
    "NABU_PORT_8000_TCP_ADDR": "10.0.0.1",
    "NABU_SERVICE_HOST": "10.0.0.1",
    "NABU_SERVICE_PORT_HTTP": "8000",
    "NABU_MAIL_PORT": "tcp://10.0.0.1:2525",
    "NABU_DATABASE_PORT": "tcp://10.0.0.1:5432",
    "NABU_NAME": "/web/nabu",
}


def errors(**given: str) -> list[str]:
    """Return the lines about settings with these changes; none if they are right."""
    try:
        load(**{**GOOD, **given})
    except BadSettings as error:
        return str(error).splitlines()
    return []


def example_of(name: str) -> str:
    return example(Settings.model_fields[name])


def bad_values(name: str) -> Iterator[str]:
    """Yield values that the type of a setting forbids."""
    field = Settings.model_fields[name]
    yield BYTES
    if field.annotation is not str or any(isinstance(each, AfterValidator) for each in field.metadata):
        yield NONSENSE
    for limit in field.metadata:
        yield from [str(limit.ge - 1)] if hasattr(limit, "ge") else []
        yield from [str(limit.le + 1), "9" * 5000] if hasattr(limit, "le") else []
        yield from ["x" * (limit.min_length - 1)] if hasattr(limit, "min_length") else []


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_reports_a_wrong_value_in_the_same_form(name: str) -> None:
    variable = f"NABU_{name.upper()}"
    for value in bad_values(name):
        (line,) = errors(**{name: value})
        form = rf"{variable}=(?P<value>.*?): (?P<problem>[^.]+)\. Example: {variable}=(?P<example>\S+)"
        found = re.fullmatch(form, line)
        assert found, line
        assert not PYDANTIC.search(line)
        assert found["example"] == example_of(name)
        is_secret = HIDDEN in Settings.model_fields[name].metadata
        assert (found["value"] == "(hidden)") == is_secret, line
        assert len(line) < 500


@pytest.mark.parametrize("name", sorted(set(Settings.model_fields) - {"secret_key"}))
def test_every_setting_accepts_its_example(name: str) -> None:
    assert example_of(name)
    assert errors(**{name: example_of(name)}) == []


def test_example_of_a_secret_key_does_not_work() -> None:
    assert errors(secret_key=example_of("secret_key"))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"secret_key": "short"}, "NABU_SECRET_KEY=(hidden): must have at least 32 characters."),
        ({"old_secret_keys": f"{'a' * 32}, short"}, "=(hidden): each key must have at least 32 characters."),
        ({"administrator": "me"}, "NABU_ADMINISTRATOR=me: must be an email address."),
        ({"administrator": BYTES}, r"NABU_ADMINISTRATOR=\udcff: must be UTF-8 text."),
        ({"administrator": "x" * 100}, f"={'x' * 80}…: must be an email address."),
        ({"database_url": "mysql://x"}, "NABU_DATABASE_URL=(hidden): must be sqlite:///PATH or postgresql://"),
        ({"database_url": "postgresql://host:port/x"}, "NABU_DATABASE_URL=(hidden): must be sqlite:///PATH"),
        ({"database_url": "postgresql://a:port,b/x"}, "NABU_DATABASE_URL=(hidden): must be sqlite:///PATH"),
        (
            {"database_url": "postgresql:///x?host=a&host=b&port=1"},
            "NABU_DATABASE_URL=(hidden): must be sqlite:///",
        ),
        ({"smtp_listen": "everywhere"}, "NABU_SMTP_LISTEN=everywhere: must be HOST:PORT."),
        ({"smtp_listen": "a..b:25"}, "NABU_SMTP_LISTEN=a..b:25: must be HOST:PORT."),
        ({"http_listen": ""}, "NABU_HTTP_LISTEN=: must be HOST:PORT."),
        (
            {"mail_domain": ""},
            "NABU_MAIL_DOMAIN=: must be a domain. Example: NABU_MAIL_DOMAIN=games.example.org",
        ),
        ({"mail_domain": "ann@example.org"}, "NABU_MAIL_DOMAIN=ann@example.org: must be a domain."),
        ({"keep_mail_days": "9" * 30}, f"={'9' * 30}: must be a whole number from 1 to 36500."),
        ({"imap_pause": ""}, "NABU_IMAP_PAUSE=: must be a whole number from 1 to 86400."),
        ({"imap_pause": "1.5"}, "NABU_IMAP_PAUSE=1.5: must be a whole number from 1 to 86400."),
        ({"first_game": "maybe"}, "NABU_FIRST_GAME=maybe: must be true or false."),
        ({"base_url": "games.example.org"}, "NABU_BASE_URL=games.example.org: must be a URL that begins with"),
        ({"trusted_proxies": "10.0.0.0/99"}, "=10.0.0.0/99: must be IP addresses and networks,"),
        ({"check_senders": "maybe"}, "NABU_CHECK_SENDERS=maybe: must be auto, true or false."),
        ({"log_format": "xml"}, "NABU_LOG_FORMAT=xml: must be text or json. Example: NABU_LOG_FORMAT=json"),
        ({"log_level": "loud"}, "NABU_LOG_LEVEL=loud: must be DEBUG"),
        ({"mail_name": "some+body"}, "NABU_MAIL_NAME=some+body: must have 1 to 23 letters"),
        ({"mail_name": "x" * 24}, ": must have 1 to 23 letters"),
        ({"dkim_selector": "a b"}, "NABU_DKIM_SELECTOR=a b: must have 1 to 63 letters"),
        ({"arc_sealers": "a@b"}, "NABU_ARC_SEALERS=a@b: must be domains, separated by commas."),
        ({"imap_url": "mail.example.org"}, "NABU_IMAP_URL=(hidden): must be imaps://USER:PASSWORD@HOST:PORT"),
        ({"imap_url": "imap://a:b@mail.example.org"}, "NABU_IMAP_URL=(hidden): must begin with imaps:// or"),
        (
            {"smtp_url": "smtp://a:b@mail.example.org"},
            "NABU_SMTP_URL=(hidden): must begin with smtp+starttls://",
        ),
        ({"imap_handled": ""}, "NABU_IMAP_HANDLED=: must be a folder. Example: NABU_IMAP_HANDLED=Nabu/Handled"),
        ({"postmark_password": "short"}, "NABU_POSTMARK_PASSWORD=(hidden): must have at least 16 characters."),
        ({"sendgrid_public_key": "AAAA"}, "NABU_SENDGRID_PUBLIC_KEY=(hidden): must be a public key in base64."),
        ({"backup_recipients": "age1x"}, "NABU_BACKUP_RECIPIENTS=age1x: must be public keys of age"),
        ({"amazon_topics": "mail"}, "NABU_AMAZON_TOPICS=mail: must be topics of Amazon SNS (ARNs)"),
    ],
)
def test_report_names_the_problem(given: dict[str, str], expected: str) -> None:
    (line,) = errors(**given)
    assert expected in line


def test_rule_for_two_settings_names_both() -> None:
    (line,) = errors(imap_url="imaps://a:b@c/In", imap_handled="In")
    assert line == (
        "NABU_IMAP_HANDLED=In: Nabu fetches emails from this folder (NABU_IMAP_URL), so it must be another "
        "one. Example: NABU_IMAP_HANDLED=Nabu/Handled"
    )


@pytest.mark.parametrize(
    "given",
    [
        {"imap_url": "imaps://ann:hush-hush@mail.example.org?x"},
        {"imap_url": "imap://ann:hush-hush@mail.example.org"},
        {"imap_url": "imaps://ann:hush-hush@mail.example.org/In", "imap_handled": "In"},
        {"smtp_url": "smtp://ann:hush-hush@mail.example.org"},
        {"database_url": "postgresql://ann:hush-hush@host:port/x"},
        {"postmark_password": "hush-hush"},
        {"sendgrid_public_key": "hush-hush"},
        {"alert_command": "page --token 'hush-hush"},
        {"sentry_dsn": "hush-hush"},
        {"metrics_token": f"hush-hush{BYTES}"},
    ],
)
def test_report_of_wrong_settings_shows_no_secret(given: dict[str, str]) -> None:
    lines = errors(**given)
    assert lines
    assert "hush" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("NABU_OPERATOR", "me", "NABU_OPERATOR=me: no setting has this name; did you mean NABU_ADMINISTRATOR?"),
        ("NABU_MAIL_DIR", "/x", "NABU_MAIL_DIR=/x: no setting has this name; did you mean NABU_MAILDIR?"),
        ("nabu_loglevel", "x", "nabu_loglevel=x: no setting has this name; did you mean NABU_LOG_LEVEL?"),
        (
            "NABU_SMTPURL",
            "hush",
            "NABU_SMTPURL=(hidden): no setting has this name; did you mean NABU_SMTP_URL?",
        ),
        ("NABU_XYZZY", "hush", "NABU_XYZZY=(hidden): no setting has this name. docs/settings.md lists all"),
    ],
)
@pytest.mark.parametrize("source", ["environment", "file"])
def test_unknown_name_is_refused(
    source: str, name: str, value: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = None
    if source == "environment":
        monkeypatch.setenv(name, value)
    else:
        file = tmp_path / "nabu.env"
        file.write_text(f"# a comment\n{name}={value}\nPOSTGRES_PASSWORD=x\n")
    with pytest.raises(BadSettings) as error:
        load(file, **GOOD)
    (line,) = str(error.value).splitlines()
    assert line.startswith(expected)


def test_variables_of_kubernetes_and_docker_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SET_BY_KUBERNETES.items():
        monkeypatch.setenv(name, value)
    assert errors() == []
    file = tmp_path / "nabu.env"
    file.write_text("NABU_PORT=8000\n")
    with pytest.raises(BadSettings, match=r"NABU_PORT=.*no setting has this name"):
        load(file, **GOOD)


def test_all_wrong_settings_are_reported_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NABU_SECRET_KEY", "NABU_MAIL_DOMAIN"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "nabu.env"
    file.write_text("NABU_OPERATOR=me\nNABU_IMAP_PAUSE=often\n")
    monkeypatch.setenv("NABU_LOG_LEVEL", "loud")
    with pytest.raises(BadSettings) as error:
        load(file)
    assert sorted(line.partition(": ")[0] for line in str(error.value).splitlines()) == [
        "NABU_IMAP_PAUSE=often", "NABU_LOG_LEVEL=loud", "NABU_MAIL_DOMAIN=", "NABU_OPERATOR=me",
        "NABU_SECRET_KEY=",
    ]  # fmt: skip
    assert "NABU_SECRET_KEY=: must be set, for example by nabu setup. Example:" in str(error.value)


def test_missing_file_is_reported(tmp_path: Path) -> None:
    for file in (tmp_path / "nabu.env", tmp_path):
        with pytest.raises(BadSettings, match="does not exist or cannot be read"):
            load(file)


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "nabu.env"
    file.write_text(f"NABU_SECRET_KEY={'f' * 32}\nNABU_MAIL_DOMAIN=file.example.org\n")
    assert load(file).mail_domain == "file.example.org"


def test_environment_takes_precedence_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "nabu.env"
    file.write_text(f"NABU_SECRET_KEY={'f' * 32}\nNABU_MAIL_DOMAIN=file.example.org\n")
    monkeypatch.setenv("NABU_MAIL_DOMAIN", "environment.example.org")
    assert load(file).mail_domain == "environment.example.org"


def test_domain_may_have_the_maximum_length_of_names() -> None:
    longest = "x." * 126 + "y"
    assert load(**GOOD | {"mail_domain": longest}).mail_domain == longest
    with pytest.raises(BadSettings, match="must be a domain"):
        load(**GOOD | {"mail_domain": "x" + longest})


def test_plain_postgresql_url_is_accepted() -> None:
    url = load(**GOOD, database_url="postgresql://nabu@db/nabu").database_url
    assert url == "postgresql+psycopg://nabu@db/nabu"


def test_every_setting_has_a_description() -> None:
    descriptions = [field.description for field in Settings.model_fields.values()]
    assert all(descriptions)
    assert len(set(descriptions)) == len(descriptions)


def test_older_keys_are_separated_by_commas_with_or_without_blanks() -> None:
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
def test_senders_are_checked_unless_disabled_or_done_elsewhere(
    written: str, authserv_ids: str, checks: bool, believes: bool
) -> None:
    settings = load(**GOOD, check_senders=written, authserv_ids=authserv_ids)
    assert (settings.checks_senders, settings.believes_senders) == (checks, believes)
    assert load(**GOOD).checks_senders
