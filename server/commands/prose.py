"""Lines that begin with the word of a command but go on like a sentence: “vacation was great”."""


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VERBS = _words_of(
    "is are was were am has had have will would can could should must might may does did isn't aren't "
    "wasn't weren't hasn't haven't won't wouldn't can't couldn't shouldn't doesn't didn't"
)
_SUBJECTS = _words_of(
    "i we you he she it they this that these those there here who what which everyone everybody nobody"
)
_AFTER_NOUNS = _words_of(
    "that me us him her them received sent arrived soon later back about of from with and but or so"
)
"""Words behind “message”, “note” or “report” with which no text of a player begins."""
_GREETINGS = _words_of("hi hello hey hallo hola ciao salut thanks thx yes no ok okay cheers bye sorry congrats")
_IMPERATIVES = _words_of("say tell set")
"""Commands that begin no sentence to another player: the text behind them is always theirs."""


def is_prose(spelling: str, rest: str, *, is_text: bool, is_synonym: bool) -> bool:
    """Return True if `rest` goes on like a sentence that begins with the `spelling` of a command.

    `is_text` stands for a command that takes any text, of which nothing is certain but its beginning.
    """
    words = _words(rest)[:2]
    if not words or spelling in _IMPERATIVES or not words[0][0].islower():
        return False
    first, *others = words
    if first in _VERBS or (others and others[0] in _VERBS and first not in _SUBJECTS):
        return True
    if not is_text:
        return False
    return first in _AFTER_NOUNS or (is_synonym and not others and first not in _GREETINGS)


def may_be_prose(value: str) -> bool:
    """Return True if a value begins in lower case and has the verb of a sentence, such as “was great”."""
    words = _words(value)
    return bool(words) and words[0][0].islower() and words[0] not in _SUBJECTS and not _VERBS.isdisjoint(words)


def _words(text: str) -> list[str]:
    return [word for each in text.replace("’", "'").split() if (word := each.strip('.,;:!?()"“”„'))]
