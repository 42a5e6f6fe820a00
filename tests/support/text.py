"""Texts that pages may hold: plain, foreign, hidden and hostile characters alike."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

HIDDEN = "\x00\x07\x1b\x7f\x85\x9b\u00ad\u200b\u200c\u200e\u202a\u202e\u2028\u2066\u2069\ufeff\ue000\ufff9"
TAGS = "".join(map(chr, range(0xE0000, 0xE0080)))

page_text: st.SearchStrategy[str] = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from(HIDDEN + TAGS + "\u200d\ufe0f\U000e0100"),
        st.sampled_from("<>&\"'\\`\n\t[]{}"),
        st.characters(categories=["Cs"]),
    ),
    max_size=60,
)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | page_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(page_text, inner, max_size=4),
    max_leaves=12,
)
