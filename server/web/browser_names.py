"""What browsers are called, in plain words."""

from flask import request

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Vivaldi": "Vivaldi",
    "SamsungBrowser": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""By a part of what browsers call themselves; many name others as well, which come later."""
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Windows": "Windows",
    "Macintosh": "a Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def own_name() -> str:
    """That of the visitor."""
    return name_of(request.user_agent.string)


def name_of(user_agent: str) -> str:
    """A browser in plain words, by what it calls itself: "Firefox on Android"."""
    browser = next((name for part, name in _BROWSERS.items() if part in user_agent), "A browser")
    system = next((name for part, name in _SYSTEMS.items() if part in user_agent), "")
    return f"{browser} on {system}" if system else browser
