"""The phrases that email programs in one language write around an answer, such as "wrote:"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """The phrases of one language.

    `wrote` and `begins`: the verb and the first word of "On Monday, Ann wrote:", but no single Latin letter,
    which may begin a move, too. `sender` and `labels`: of the block of headers above a quote. `original`: the
    text between dashes above a quote or a forwarded email. `signature`: the beginning (`signature_end`: the
    end) of the line that a phone adds below an answer. `away`: the beginning of the subject of an automatic
    answer during an absence.
    """

    wrote: str
    begins: str = ""
    sender: str = ""
    labels: str = ""
    original: str = ""
    signature: str = ""
    signature_end: str = ""
    away: str = ""
