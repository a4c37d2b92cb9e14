"""Discord: the webhook of a channel."""

from server.game.notifications.services.service import NotificationService

DISCORD = NotificationService(
    name="Discord",
    example="https://discord.com/api/webhooks/ID/TOKEN",
    where="in Discord: Edit Channel, Integrations, Webhooks",
    forms=(
        r"https://(discord|discordapp)\.com/api/webhooks/[0-9]+/[\w-]+/?",
        r"discord://([\w-]+@)?[0-9]+/[\w-]+/?",
    ),
    beginnings=("https://discord", "discord:"),
)
