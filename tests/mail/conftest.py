"""What several tests of mail share."""

from tests.support.machine.mail_servers import dovecot, mailservers, postfix

__all__ = ["dovecot", "mailservers", "postfix"]
