# task: triton-add
# does: a class around the launch, two rows of elements a program

import torch
import triton
import triton.language as tl


@triton.jit
def _sum(left, right):
    return left + right


@triton.jit
def add_kernel(a, b, out, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.arange(0, ROWS)[:, None]
    columns = tl.arange(0, COLUMNS)[None, :]
    at = tl.program_id(axis=0) * ROWS * COLUMNS + rows * COLUMNS + columns
    inside = at < n
    tl.store(out + at, _sum(tl.load(a + at, inside, 0.0), tl.load(b + at, inside, 0.0)), inside)


class Adder:
    def __init__(self, rows: int, columns: int):
        self.rows, self.columns = rows, columns

    def __call__(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        assert a.shape == b.shape
        out = torch.empty_like(a)
        grid = (triton.cdiv(a.numel(), self.rows * self.columns), 1, 1)
        add_kernel[grid](a, b, out, a.numel(), self.rows, self.columns, num_warps=2)
        return out


def add(a, b):
    return Adder(2, 128)(a, b)
