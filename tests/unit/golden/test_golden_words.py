from __future__ import annotations

import pytest

from pytest_retrieval.golden.words import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't PANIC, 4500017311!", ["don", "t", "panic", "4500017311"]),
        ("Straße, Ｆｕｌｌ width", ["strasse", "full", "width"]),
        ("cafe\u0301", ["café"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("北京大学 2024年", ["北京", "京大", "大学", "2024", "年"]),
        ("ภาษาไทย", ["ภาษ", "าษา", "ษาไ", "าไท", "ไทย"]),
        ("iPhoneの価格", ["iphone", "の価", "価格"]),
        ("", []),
        ("—…", []),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected
