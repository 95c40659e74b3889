"""Stands in for `tabulate` where this Python lacks it: programs print their results with it and need no more."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_NAME = "tabulate"


def install(say_once: Callable[[str], None]) -> None:
    """Makes `import tabulate` find a module that prints plain tables, unless the real one is there."""
    if _NAME in sys.modules or importlib.util.find_spec(_NAME) is not None:
        return
    module = types.ModuleType(_NAME)
    module.__spec__ = importlib.machinery.ModuleSpec(_NAME, None)

    def tabulate(tabular_data: Any, headers: Any = (), **_layout: object) -> str:
        # torch makes some for nobody to see.
        if sys._getframe(1).f_globals.get("__name__", "").split(".")[0] != "torch":
            say_once("tables are printed plainly: this Python has no %s" % _NAME)
        return _table(*_read(tabular_data, headers))

    module.tabulate = tabulate  # type: ignore[attr-defined]
    sys.modules[_NAME] = module


def _read(data: Any, headers: Any) -> tuple[list[str], list[list[Any]]]:
    """Names of columns, which may be none, and rows, of rows or of columns by their names."""
    if isinstance(data, Mapping):
        names = [str(key) for key in data]
        columns = [list(values) for values in data.values()]
        longest = max((len(column) for column in columns), default=0)
        rows = [[column[at] if at < len(column) else None for column in columns] for at in range(longest)]
        return (names if headers == "keys" else _names(headers)), rows
    rows = [list(row.values() if isinstance(row, Mapping) else row) for row in data]
    if isinstance(headers, str) and headers == "firstrow" and rows:
        return [str(each) for each in rows[0]], rows[1:]
    return _names(headers), rows


def _names(headers: Any) -> list[str]:
    return [] if isinstance(headers, str) else [str(each) for each in headers]


def _table(names: list[str], rows: list[list[Any]]) -> str:
    lines = [[_text(each) for each in row] for row in rows]
    count = max([len(names), *(len(line) for line in lines)], default=0)
    shown = [line + [""] * (count - len(line)) for line in [*([names] if names else []), *lines]]
    widths = [max(len(line[at]) for line in shown) for at in range(count)]
    is_number = [all(_is_number(row[at]) for row in rows if at < len(row)) for at in range(count)]
    rule = "  ".join("-" * width for width in widths)
    body = [_line(line, widths, is_number) for line in shown]
    return "\n".join([body[0], rule, *body[1:]] if names else [rule, *body, rule])


def _line(texts: list[str], widths: Iterable[int], is_number: Iterable[bool]) -> str:
    placed = (
        text.rjust(width) if right else text.ljust(width)
        for text, width, right in zip(texts, widths, is_number)
    )
    return "  ".join(placed).rstrip()


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _text(value: Any) -> str:
    if value is None:
        return ""
    return "%g" % value if isinstance(value, float) else str(value)
