"""The connections to the relay, the mail server that sends Nabu's emails to the world."""

from __future__ import annotations

import contextlib
import re
import smtplib
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Literal, TypeVar
from zlib import crc32

from mail.reading.bounces import is_hard
from mail.servers import Server, read_server

_PORTS = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}
_WRONG = (
    "must be smtp://HOST:PORT, smtp+starttls://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT, "
    "with %XX for characters such as @ and / in a password"
)

_NOT_IN_ADDRESS = frozenset("<> \t\r\n")  # smtplib would silently change the address
_NOT_SAYABLE = 553
_CLOSING = 421
_TOO_LARGE = 552
_GO_AHEAD = 354
_Step = Literal["sender", "recipient", "content", "end"]
"""The parts of sending an email to which the relay replies: MAIL, RCPT, DATA, and the end of the content."""
# The relay requires a login or rejects it: the configuration is wrong, not the email.
_NOT_KNOWN = (530, 534, 535, 538)
# The relay does not let Nabu send from this path, so much (Gmail's 5.4.5), or this email (RFC 3463).
_NOT_ALLOWED = re.compile(r"5\.(?:7\.\d+|1\.[78]|4\.5)\b")
_Outcome = TypeVar("_Outcome")


class DeliveryFailed(Exception):
    """Raised if the relay did not accept an email.

    `code` is the relay's three digits, 0 if it did not answer, 553 for an address that cannot even be sent to
    it; `message` is its text, or the error.

    `of` is the object of the failure: the "relay", which accepts nothing; the "recipient", for whom it accepts
    nothing; the "mail", refused after reading it. Only a refusal of the recipient with a specific status, such
    as 5.1.1, is `permanent`: a retry will not help, if the relay can be trusted. `forbidden` means that the
    relay does not let Nabu send this, or not from this return path: that says nothing about the recipient.
    `connected` is False if the connection or the login failed.
    """

    def __init__(
        self,
        permanent: bool,
        code: int,
        message: str,
        *,
        of: Literal["relay", "recipient", "mail"] = "relay",
        forbidden: bool = False,
        connected: bool = True,
    ) -> None:
        super().__init__(f"{code} {message}" if code else message)
        self.permanent = permanent
        self.code = code
        self.message = message
        self.of = of
        self.forbidden = forbidden
        self.connected = connected


class _Refused(smtplib.SMTPResponseException):
    """Raised if the relay refuses a step of sending an email."""

    def __init__(self, step: _Step, code: int, text: bytes) -> None:
        super().__init__(code, text)
        self.step = step


class Relay:
    """One connection to the relay, opened when it is needed and kept for the next email.

    `url` is `smtp://host:port` (TLS where it is offered, but not on this machine), `smtp+starttls://…` (TLS
    required) or `smtps://…` (TLS from the start), with `user:password@` if the relay requires it; any other
    raises ValueError. `timeout` is in seconds, for each answer of the relay. One thread at a time may use it.
    """

    def __init__(self, url: str, *, hostname: str, timeout: float = 30) -> None:
        self.server = _read(url)
        """The address of the relay."""
        self._hostname = hostname
        self._timeout = timeout
        self._client: smtplib.SMTP | None = None

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        """Send one email, and return after the relay has accepted it.

        Raises DeliveryFailed. If the connection broke at the very end, the relay may have accepted the email
        after all.
        """
        try:
            client = self._begin(mail_from, recipient, content)
            client.send(_with_end(content))
            _expect_all(client, ["end"])
        except (OSError, ValueError) as error:
            failure = _failure(error)
            self._clean_up(failure)
            raise failure from error

    def try_out(self, mail_from: str, recipient: str) -> None:
        """Check that the relay accepts emails from this sender to this recipient, then disconnect.

        Raises DeliveryFailed if not.
        """
        try:
            self._begin(mail_from, recipient)
        except (OSError, ValueError) as error:
            raise _failure(error) from error
        finally:
            self.close()

    def close(self) -> None:
        """Log out; the next `send` opens a new connection."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(OSError):
                client.quit()
            client.close()

    def _begin(self, mail_from: str, recipient: str, content: bytes | None = None) -> smtplib.SMTP:
        """Return a connection that is ready for the content: the kept one, or a new one if that is stale.

        Without `content`, it has accepted the sender and the recipient.
        """
        if self._client is not None:
            try:
                return _converse(self._client, mail_from, recipient, content)
            except _Refused as refusal:
                if refusal.step != "sender" or refusal.smtp_code != _CLOSING:
                    raise
            except OSError:
                pass
            self.close()
        self._client = _connected(self.server, self._hostname, self._timeout)
        return _converse(self._client, mail_from, recipient, content)

    def _clean_up(self, failure: DeliveryFailed) -> None:
        """Keep the connection for the next email after a refusal; close it after other errors."""
        if self._client is None:
            return
        with contextlib.suppress(OSError):
            if failure.code not in (0, _CLOSING) and self._client.rset()[0] == 250:
                return
        self.close()


def _read(url: str) -> Server:
    relay = read_server(url, _PORTS, _WRONG)
    if relay.path.strip("/"):
        raise ValueError(_WRONG)
    if relay.user and relay.scheme == "smtp" and not relay.is_here:
        raise ValueError("must begin with smtp+starttls:// or smtps://, as the password would not be encrypted")
    return relay


def _connected(relay: Server, hostname: str, timeout: float) -> smtplib.SMTP:
    """Return a new connection, encrypted and logged in as `url` requires; failures are never permanent."""
    client: smtplib.SMTP | None = None
    try:
        if relay.scheme == "smtps":
            verified = ssl.create_default_context()
            client = smtplib.SMTP_SSL(
                relay.host, relay.port, local_hostname=hostname, timeout=timeout, context=verified
            )
        else:
            client = smtplib.SMTP(relay.host, relay.port, local_hostname=hostname, timeout=timeout)
            _encrypt(client, relay)
        if relay.user:
            client.login(relay.user, relay.password)
        client.ehlo_or_helo_if_needed()
    except (OSError, ValueError) as error:
        if client is not None:
            client.close()
        raise DeliveryFailed(False, *_code_and_text(error), connected=False) from error
    return client


def _encrypt(client: smtplib.SMTP, relay: Server) -> None:
    client.ehlo_or_helo_if_needed()
    if relay.scheme == "smtp+starttls":
        client.starttls(context=ssl.create_default_context())
    elif not relay.is_here and client.has_extn("starttls"):
        # Even without verification this is better than the clear text that the URL requests.
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        client.starttls(context=context)


def _converse(client: smtplib.SMTP, mail_from: str, recipient: str, content: bytes | None) -> smtplib.SMTP:
    """Send the commands before the content; return the connection. Raises _Refused for the first refusal.

    If the relay allows it, all commands are sent before their replies are read (RFC 2920).
    """
    commands: dict[_Step, str] = {
        "sender": f"MAIL FROM:<{mail_from}>{_options(client, mail_from + recipient, content)}",
        "recipient": f"RCPT TO:<{recipient}>",
    }
    if content is not None:
        commands["content"] = "DATA"
    for steps in [[*commands]] if client.has_extn("pipelining") else [[step] for step in commands]:
        client.send("".join(f"{commands[step]}\r\n" for step in steps).encode())
        _expect_all(client, steps)
    return client


def _expect_all(client: smtplib.SMTP, steps: Sequence[_Step]) -> None:
    """Read the replies to some commands. Raises _Refused for the first refusal."""
    refusal: _Refused | None = None
    code = 0
    for step in steps:
        try:
            code, text = client.getreply()
        except OSError:
            if refusal is None:
                raise
            break  # the relay has disconnected after the refusal
        is_accepted = code == _GO_AHEAD if step == "content" else 200 <= code < 300
        if refusal is None and not is_accepted:
            refusal = _Refused(step, code, text)
    if refusal is not None:
        if code == _GO_AHEAD:  # after a refusal, the relay may still wait for the content
            with contextlib.suppress(OSError):
                client.send(b".\r\n")
                client.getreply()
        raise refusal


def _options(client: smtplib.SMTP, addresses: str, content: bytes | None) -> str:
    """Return the parameters of MAIL. Raises ValueError or SMTPNotSupportedError for impossible addresses."""
    if _NOT_IN_ADDRESS & {*addresses}:
        raise ValueError("The address contains a space, a line ending or an angle bracket.")
    options = ""
    if content is not None and client.has_extn("size"):
        options += f" SIZE={len(content)}"
    if content is not None and not content.isascii() and client.has_extn("8bitmime"):
        options += " BODY=8BITMIME"
    if not addresses.isascii():
        if not client.has_extn("smtputf8"):
            raise smtplib.SMTPNotSupportedError("The relay accepts only ASCII in addresses.")
        options += " SMTPUTF8"
    return options


def _with_end(content: bytes) -> bytes:
    """Return the content as it is transmitted: dots at the start of a line doubled, and one at the end."""
    end = b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n"
    return (b"\n" + content).replace(b"\n.", b"\n..")[1:] + end


def _failure(error: OSError | ValueError) -> DeliveryFailed:
    code, message = _code_and_text(error)
    # Broken addresses, and non-ASCII ones for a relay that does not support them.
    if isinstance(error, smtplib.SMTPNotSupportedError) or not isinstance(error, OSError):
        return DeliveryFailed(True, _NOT_SAYABLE, message, of="recipient")
    if code in (0, _CLOSING, *_NOT_KNOWN):
        return DeliveryFailed(False, code, message)
    refused, step = 500 <= code < 600, error.step if isinstance(error, _Refused) else "sender"
    if step == "sender":
        of_mail = code == _TOO_LARGE
        return DeliveryFailed(
            False, code, message, of="mail" if of_mail else "relay", forbidden=refused and not of_mail
        )
    forbidden = refused and _NOT_ALLOWED.match(message) is not None
    if step in ("content", "end"):
        return DeliveryFailed(False, code, message, of="mail", forbidden=forbidden)
    # The text after the status may quote the address, which may look like another status.
    permanent = refused and not forbidden and is_hard(message.partition(" ")[0])
    return DeliveryFailed(permanent, code, message, of="recipient", forbidden=forbidden)


def _code_and_text(error: OSError | ValueError) -> tuple[int, str]:
    """Return the relay's code and text, or 0 and the error."""
    if not isinstance(error, smtplib.SMTPResponseException):
        return 0, str(error) or type(error).__name__
    text = error.smtp_error
    message = text.decode(errors="replace") if isinstance(text, bytes) else text
    return error.smtp_code, " ".join(message.split())


class RelayConnections:
    """Several connections to the relay, each with a thread; a recipient's emails use the same, in order."""

    def __init__(self, relays: list[Relay]) -> None:
        self._connections = [(relay, ThreadPoolExecutor(1, "relay")) for relay in relays]

    def submit(self, recipient: str, send: Callable[[Relay], _Outcome]) -> Future[_Outcome]:
        """Call `send` with the recipient's connection, after earlier calls for it; return the future result."""
        relay, thread = self._connections[crc32(recipient.encode()) % len(self._connections)]
        return thread.submit(send, relay)

    def close(self) -> None:
        """Finish all calls that were submitted, and disconnect."""
        for relay, thread in self._connections:
            thread.shutdown()
            relay.close()
