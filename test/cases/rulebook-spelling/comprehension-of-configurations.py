#@case {"kernel": "mix"}
import itertools

import torch
import triton
import triton.language as tl

STAGES = (2, 3)


def tilings():
    found = []
    for rows, columns in [(16, 32), (32, 32)]:
        for stages in STAGES:
            found.append(
                triton.Config(
                    {"ROWS": rows, "COLUMNS": columns},  # of the result
                    num_stages=stages,
                    num_warps=2,
                )
            )
    return found


@triton.autotune(
    configs=[triton.Config({"ROWS": r, "COLUMNS": c}, num_warps=w) for r, c in itertools.product([64, 32], [32]) for w in (1, 2)],
    key=["m", "n"],
)
@triton.heuristics({"EVEN": lambda args: args["n"] % args["m"] == 0, "WIDE": lambda given: given["n"] > 4})
@triton.jit
def mix(x, y, m, n, EVEN: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    v = tl.load(x + rows[:, None] * n + columns[None, :], mask=inside)
    tl.store(y + rows[:, None] * n + columns[None, :], v if EVEN else v + 1, mask=inside)


def run(x):
    y = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(x.shape[0], meta["ROWS"]), triton.cdiv(x.shape[1], meta["COLUMNS"]))
    mix[grid](x, y, x.shape[0] + 0, x.shape[1])
    return y
