"""The letters that accounts queue."""

from server.store.letters.letter import Letter, Moment


class Welcome(Letter):
    """A greeting to a new player."""

    subject = "Welcome to Nabu"
    is_owed = True

    name: str
    player: int = 0
    """The player whose guided game it shows; 0 for none."""


class LoginLink(Letter):
    """The link that logs a player in."""

    subject = "Your link to Nabu"
    is_answer = True
    takes_commands = False

    player: int


class RegisterLink(Letter):
    """The link with which a person signs up."""

    subject = "Sign up for Nabu"

    email: str
    name: str


class ChangeAsked(Letter):
    """A question to one address: confirm a change of an account."""

    subject = "Please confirm"

    change: int
    """Its number."""
    what: str
    """The kind of change, as in `Change.what`."""
    name: str
    """The name of the player whose account it is."""
    email: str
    """The address that the change is about; "" for none."""
    to: str
    """The recipient: that address, or the player's main one."""
    due: Moment
    """When the change lapses, or takes effect if only the main address has not answered."""
    zone: str


class AccountChanged(Letter):
    """A notification that access to the receiver's account has changed (see `accounts.access`)."""

    subject = "Your account was changed"

    player: int
    act: str
    """The name of the act."""
    what: str
    """The name or address that the act is about; "" for none."""
    where: str
    """How it was done: "in Firefox on Android", "by an email from ann@example.org"."""
    at: Moment
    main: str
    """The recipient: the player's main address at that time."""
    removed_logs_in: bool = False
    """Whether an address that was removed could log in."""


class BrowserClosed(Letter):
    """A browser has accepted no notification for long, or accepts only the old key of the server."""

    subject = "Notifications in a browser have stopped"
    takes_commands = False

    browser: str
    span: str
    """The time without an accepted notification, in words; "" if the key is the reason."""


class ChannelClosed(Letter):
    """A service such as ntfy has accepted no notification for long, or the channel there no longer exists."""

    subject = "Notifications have stopped"

    service: str
    span: str
    """The time without an accepted notification, in words; "" if the channel no longer exists."""
