"""Fixtures of several tests of mail."""

from tests.support.machine.mail_servers import dovecot, mailservers, postfix

__all__ = ["dovecot", "mailservers", "postfix"]
