"""The names of browsers, for the lists of a player's sessions and the reports of account changes."""

from flask import request


def here() -> str:
    """Return the visitor's browser for the report of an account change: "in Firefox on Android"."""
    return f"in {own_name()}"


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
"""Browsers by a part of their user agent. Many user agents also name other browsers, which come later here."""
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
    """Return the name of the visitor's browser: "Firefox on Android"."""
    return name_of(request.user_agent.string)


def name_of(user_agent: str) -> str:
    """Return the name of a browser by its user agent: "Firefox on Android"."""
    browser = next((name for part, name in _BROWSERS.items() if part in user_agent), "A browser")
    system = next((name for part, name in _SYSTEMS.items() if part in user_agent), "")
    return f"{browser} on {system}" if system else browser
