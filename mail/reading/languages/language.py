"""What mail programs of one language write around an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """The phrases of one language.

    `wrote` and `begins`: the verb and the first word of "On Monday, Ann wrote:". `sender` and `labels`: of the
    block of headers that stands above a quote. `original`: what stands between dashes above a quote or a
    forwarded mail. `signature`: how the line begins (`signature_end`: ends) that a telephone puts under an
    answer. `away`: how the subject begins that a program writes while its owner is away.
    """

    wrote: str
    begins: str = ""
    sender: str = ""
    labels: str = ""
    original: str = ""
    signature: str = ""
    signature_end: str = ""
    away: str = ""
