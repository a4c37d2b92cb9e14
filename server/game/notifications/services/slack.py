"""Slack: an incoming webhook, or a bot in some channels."""

from server.game.notifications.services.service import NotificationService

SLACK = NotificationService(
    name="Slack",
    example="https://hooks.slack.com/services/T…/B…/…",
    where="in Slack: Incoming Webhooks",
    forms=(
        r"https://hooks\.slack\.com/services(/[A-Za-z0-9]+){3}/?",
        r"slack://([\w-]+@)?[A-Za-z0-9]+(/[A-Za-z0-9]+){2}(/[+#@]?[\w-]{1,32})*/?",
        r"slack://([\w-]+@)?xox[abp]-[A-Za-z0-9-]+(/[+#@]?[\w-]{1,32})+/?",
    ),
    beginnings=("https://hooks.slack", "slack:"),
)
