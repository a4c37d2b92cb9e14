"""ntfy: a topic at ntfy.sh, or on any other server."""

from server.game.notifications.services.service import NotificationService

NTFY = NotificationService(
    name="ntfy",
    example="https://ntfy.sh/TOPIC",
    where="on another server: ntfys://HOST/TOPIC",
    forms=(
        r"https://ntfy\.sh/[\w-]{1,64}/?",
        r"ntfys?://([^\s/?,]+@)?[\w.:\[\]-]+/[\w-]{1,64}/?",
        r"ntfys?://[\w-]{1,64}/?",
    ),
    beginnings=("https://ntfy", "ntfy:", "ntfys:"),
    ports=(80, 443),
)
