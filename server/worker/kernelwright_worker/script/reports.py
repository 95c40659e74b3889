"""Triton's performance reports where matplotlib or pandas is missing: the table alone, as text."""

from __future__ import annotations

import copy
import csv
import importlib.util
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import triton.testing

if TYPE_CHECKING:
    from .pace import Pace


def rows_of(mark: triton.testing.Mark, bench: triton.testing.Benchmark, named: dict) -> tuple[list, list]:
    """Runs the benchmark of a report. Gives the names of the columns and the rows, in Triton's order."""
    names = list(bench.x_names)
    rows = []
    for given in bench.x_vals:
        values = list(given) if isinstance(given, (list, tuple)) else [given] * len(names)
        if len(values) != len(names):
            raise ValueError("Expected %d values, got %s" % (len(names), given))
        row = list(values)
        for line in bench.line_vals:
            found = mark.fn(**dict(zip(names, values)), **{bench.line_arg: line}, **bench.args, **named)
            row.append(found[0] if isinstance(found, (list, tuple)) else found)
        rows.append(row)
    return [*names, *("%s (%s)" % (name, bench.ylabel) for name in bench.line_names)], rows


def table(columns: list, rows: list) -> str:
    """The rows as right-aligned text, with their numbers in front."""
    shown = [["", *columns]]
    for number, row in enumerate(rows):
        shown.append(
            [str(number), *("%.6f" % each if isinstance(each, float) else str(each) for each in row)]
        )
    widths = [max(len(line[at]) for line in shown) for at in range(len(columns) + 1)]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths)) for line in shown)


def install(say_once: Callable[[str], None], pace: Pace) -> None:
    """Lets reports leave out sizes when they take long. Takes the place of Triton's reports when this Python lacks
    what they draw and keep tables with.
    """
    _install_tables(say_once)
    run = triton.testing.Mark._run

    def paced(
        mark: triton.testing.Mark, bench: triton.testing.Benchmark, *arguments: Any, **named: Any
    ) -> object:
        taken = copy.copy(bench)
        taken.x_vals = pace.of(bench.plot_name, bench.x_vals)
        return run(mark, taken, *arguments, **named)

    triton.testing.Mark._run = paced


def _install_tables(say_once: Callable[[str], None]) -> None:
    missing = [name for name in ("matplotlib", "pandas") if importlib.util.find_spec(name) is None]
    if not missing:
        return

    def run(
        mark: triton.testing.Mark,
        bench: triton.testing.Benchmark,
        save_path: str,
        show_plots: bool,
        print_data: bool,
        diff_col: bool = False,
        save_precision: int = 6,
        **named: Any,
    ) -> object:
        say_once(
            "reports of benchmarks are printed as tables and not drawn: this Python has no %s"
            % " and no ".join(missing)
        )
        columns, rows = rows_of(mark, bench, named)
        if diff_col and len(columns) == len(bench.x_names) + 2:
            columns.append("Diff")
            rows = [[*row, row[-1] - row[-2]] for row in rows]
        if print_data:
            print(bench.plot_name + ":")
            print(table(columns, rows))
        if save_path:
            os.makedirs(save_path, exist_ok=True)
            with open(os.path.join(save_path, bench.plot_name + ".csv"), "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(columns)
                for row in rows:
                    writer.writerow(
                        "%.*f" % (save_precision, each) if isinstance(each, float) else each for each in row
                    )
        if "pandas" in missing:
            return None
        import pandas

        return pandas.DataFrame(rows, columns=columns)

    triton.testing.Mark._run = run
