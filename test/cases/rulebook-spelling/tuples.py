#@case {"kernel": "step_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def step_kernel(x, y, rows, columns, first, second, BR: tl.constexpr, BC: tl.constexpr):
    row, column = tl.program_id(0), tl.program_id(1)
    i, j = (row * BR + tl.arange(0, BR), column * BC + tl.arange(0, BC))
    first, second = second, first
    place = i[:, None] * columns + j[None, :]
    inside = (i[:, None] < rows) & (j[None, :] < columns)
    tl.store(y + place, tl.load(x + place, mask=inside) * first + second, mask=inside)


class Step:
    def __init__(self, betas):
        self.betas = betas

    def __call__(self, x):
        rows, columns = x.size(0), x.size(1)
        y = torch.empty_like(x)
        grid = (triton.cdiv(rows, 16), triton.cdiv(columns, 64))
        step_kernel[grid](x, y, rows, columns, *self.betas, BR=16, BC=64)
        return y
