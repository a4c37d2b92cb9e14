"""Each phrase by which email programs of all languages are recognized."""

from __future__ import annotations

import pytest

from mail.reading.languages.language import Language
from mail.reading.languages.phrases import LANGUAGES
from mail.reading.message import read
from mail.reading.quoting import split

# Below an introduction, without quote marks: a move in it must not be read as the player's.
_BODY = "It is your move.\n\nd5"
_WITHOUT_FIRST_WORD = {"bn", "fi", "hi", "ja", "ko", "lt", "lv", "ta", "tr", "ur"}
"""Languages in which such an introduction begins with the date, or with the name."""

in_each_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


def ends_a_text(introduction: str, body: str = _BODY) -> bool:
    """Return whether only the move above an introduction is read."""
    return split(f"c4\n\n{introduction}\n\n{body}").text == "c4"


@in_each_language
def test_line_with_a_verb_such_as_wrote_ends_the_text(language: Language) -> None:
    for verb in language.wrote.split("; "):
        assert ends_a_text(f"Nabu <play@games.example> {verb}:"), verb
        assert ends_a_text(f"Nabu {verb}:", f"> {_BODY}"), verb


@pytest.mark.parametrize("code", sorted(LANGUAGES.keys() - _WITHOUT_FIRST_WORD))
def test_introduction_over_several_lines_is_left_out_from_its_first_word(code: str) -> None:
    for word in LANGUAGES[code].begins.split("; "):
        assert ends_a_text(f"{word.capitalize()} 2\nMar 2026 15:04 Nabu\n<play@games.example>:"), word


@in_each_language
def test_known_label_belongs_to_a_block_of_headers(language: Language) -> None:
    for label in language.sender.split("; "):
        assert ends_a_text(f"{label}: Nabu\nSent: Monday\nTo: Ann\nSubject: Nibble"), label
    for label in language.labels.split("; "):
        others = [f"{other}: x" for other in ("Sent", "To", "Subject") if other.lower() != label]
        assert ends_a_text("\n".join(["From: Nabu", f"{label}: x", *others[:2]])), label


@in_each_language
def test_line_above_an_original_message_ends_the_text(language: Language) -> None:
    for words in language.original.split("; "):
        assert ends_a_text(f"-----{words.title()}-----"), words
        assert ends_a_text(f"{words.capitalize()}:"), words


@in_each_language
def test_subject_of_an_automatic_answer_is_recognized(language: Language) -> None:
    for words in language.away.split("; "):
        mail = f"From: Ben <ben@example.org>\nSubject: {words.capitalize()}: Re: Nibble 17\n\nc4\n"
        assert read(mail.encode()).kind == "auto", words


@in_each_language
def test_line_of_a_phone_ends_the_text(language: Language) -> None:
    for words in language.signature.split("; "):
        assert ends_a_text(f"{words.capitalize()} iPhone", ""), words


@pytest.mark.parametrize(
    "line",
    [
        "iPhoneから送信",
        "iPadから送信されました",
        "スマートフォンのメールを入手",
        "갤럭시 휴대전화에서 보냄",
        "갤럭시 휴대전화에서 보냈습니다",
        "갤럭시 휴대전화에서 전송함",
        "Proton Mail 받기",
        "Samsung मोबाइल से भेजा गया",
        "Proton Mail प्राप्त करें",
        "Samsung মোবাইল থেকে পাঠানো",
        "Samsung মোবাইল থেকে প্রেরিত",
        "Proton Mail পান",
        "iPhone'umdan gönderildi",
        "Proton Mail'i edinin",
        "iPhone-ról küldve.",
    ],
)
def test_line_that_ends_as_those_of_phones_ends_the_text(line: str) -> None:
    assert ends_a_text(line, "")
