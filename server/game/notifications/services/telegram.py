"""Telegram: a chat in which a bot writes."""

from server.game.notifications.services.service import NotificationService

TELEGRAM = NotificationService(
    name="Telegram",
    example="tgram://BOT_TOKEN/CHAT",
    where="",
    forms=(r"tgram://(bot)?[0-9]+:[\w-]+/(-?[0-9]{1,32}|@?[A-Za-z_-][\w-]+)(:[0-9]+)?/?",),
    beginnings=("tgram:",),
)
