"""What others send is read field by field: in bounds, or refused by the name of the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.fields import Fields, filled
from pageside.errors import Refused

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
READERS: list[Callable[[Fields], Any]] = [
    lambda fields: fields.text("x", 10),
    lambda fields: fields.optional_text("x", 10),
    lambda fields: fields.choice("x", ("a", "b")),
    lambda fields: fields.number("x", 0, 100),
    lambda fields: fields.optional_number("x", 0, 100),
    lambda fields: fields.whole("x", 100),
    lambda fields: fields.optional_whole("x", 100),
    lambda fields: fields.texts("x", 3, 10),
    lambda fields: fields.numbers("x", 3),
    lambda fields: fields.objects("x", 3),
]


def attempted(reader: Callable[[Fields], Any], fields: Fields) -> tuple[Any, Refused | None]:
    try:
        return reader(fields), None
    except Refused as refusal:
        return None, refusal


@given(value=JSON, reader=st.sampled_from(READERS))
def test_whatever_is_sent_is_read_in_bounds_or_refused_by_name(
    value: Any, reader: Callable[[Fields], Any]
) -> None:
    read, refusal = attempted(reader, Fields({"x": value}, "events[3]"))
    if refusal is not None:
        assert (refusal.status, refusal.error_code) == (400, "BAD_REQUEST")
        assert "'events[3].x" in refusal.message
    elif isinstance(read, list):
        assert len(read) <= 3
        assert all(len(each) <= 10 for each in read if isinstance(each, str))
    elif isinstance(read, str):
        assert len(read) <= 10
    elif read is not None:
        assert 0 <= read <= 100
        assert not isinstance(read, bool)


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        (READERS[0], "a longer text", "a longer …"),
        (READERS[1], None, None),
        (READERS[2], "b", "b"),
        (READERS[3], -5, 0),
        (READERS[4], 1e6, 100),
        (READERS[5], 7.0, 7),
        (READERS[6], None, None),
        (READERS[7], ["a", "b", "c", "d"], ["a", "b", "c"]),
        (READERS[8], [1, 2.5], [1, 2.5]),
        (READERS[9], [{"a": 1}], [Fields({"a": 1}, "x[0]")]),
        (lambda fields: fields.object("x"), {"a": 1}, {"a": 1}),
        (lambda fields: fields.channel_id("x"), "document-number-07", "document-number-07"),
    ],
)
def test_a_field_is_read_as_what_it_is(reader: Callable[[Fields], Any], value: Any, read: Any) -> None:
    assert reader(Fields({"x": value})) == read


@pytest.mark.parametrize("value", [None, 7, [], "too-short", "not/an/id/of/a/page", "a" * 65])
def test_what_is_neither_an_object_nor_an_id_is_refused(value: Any) -> None:
    for reader in (Fields.object, Fields.channel_id):
        with pytest.raises(Refused, match="must be"):
            reader(Fields({"x": value}, "info"), "x")


def test_what_is_unknown_is_left_out() -> None:
    assert filled(a=1, b=None, c="", d=0) == {"a": 1, "c": "", "d": 0}
