"""What sizes usually are, by their names: rows of data that the prober is handed (`usual-sizes.json`)."""

from __future__ import annotations

import re
from typing import TypedDict

#: Words around the one that says what is counted: `num_heads`, `max_seq_len`, `S_max`, `row_count`.
_AROUND = re.compile(r"^(?:(?:num|n|nr|no|max|total|the)_)+|(?:_(?:max|total|count|num|no))+$")
#: A count of few things is at first a fourth of what is usual, a width that moves over others at most this.
_FEW_AT_FIRST, _WIDEST = 4, 16
#: A name of so many letters says nothing by itself.
_LETTERS = 2


class Row(TypedDict, total=False):
    """Names, with those that have to stand beside them, and what is called so."""

    names: list[str]
    beside: list[str]
    usual: int
    isFew: bool
    isFilter: bool
    isLength: bool


class UsualSizes:
    """The rows, asked by name."""

    def __init__(self) -> None:
        self._rows: list[Row] = []

    def take(self, rows: list[Row]) -> None:
        """Takes the rows that count from here on."""
        self._rows = rows

    def length(self, name: str) -> int:
        """How long what is called so is at least, where it is the length of a sequence; else 0."""
        word = _word(name)
        found = (
            each["usual"] for each in self._rows if each.get("isLength") and _is_called(word, each["names"])
        )
        return next(found, 0)

    def most(self, name: str) -> int | None:
        """The most of what there are few of; None for what may be any size. More would only fill a GPU."""
        row = self._few(name)
        return row["usual"] if row else None

    def few(self, name: str) -> int | None:
        """A number for what there are few of, or what is narrow; None for what may be any size."""
        row = self._few(name)
        if row is None:
            return None
        if row.get("isFilter"):
            return min(row["usual"], _WIDEST)
        # There are fewer heads of keys than of queries.
        return max(1, row["usual"] // (2 * _FEW_AT_FIRST if "kv" in _word(name) else _FEW_AT_FIRST))

    def _few(self, name: str) -> Row | None:
        """What is called so, where there are few of it."""
        word = _word(name)
        rows = (each for each in self._rows if "beside" not in each and _is_called(word, each["names"]))
        row = next(rows, None)
        return row if len(word) > _LETTERS and row and row.get("isFew") else None


def _word(name: str) -> str:
    """`numKvHeads` is `kv_heads`."""
    return _AROUND.sub("", re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name).lower())


def _is_called(word: str, called: list[str]) -> bool:
    """Whether that is a word, or its last part is one of more than two letters, as of `kv_heads`."""
    return word in called or any(len(each) > _LETTERS and word.endswith("_" + each) for each in called)


#: Those of this process, which serves one file.
USUAL = UsualSizes()
