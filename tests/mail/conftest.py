"""What several tests of mail share."""

from tests.mail.mailservers import dovecot, mailservers, postfix

__all__ = ["dovecot", "mailservers", "postfix"]
