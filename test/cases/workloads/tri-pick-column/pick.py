import torch
import triton
import triton.language as tl


@triton.jit
def pick_kernel(scores, choice, picked, rows, columns, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    inside = row < rows
    column = tl.load(choice + row, mask=inside, other=0)
    value = tl.load(scores + row * columns + column, mask=inside, other=0.0)
    tl.store(picked + row, value, mask=inside)


def pick(scores, choice):
    """The score that each row chose."""
    rows, columns = scores.shape
    assert choice.shape == (rows,)
    picked = torch.empty(rows, device=scores.device, dtype=scores.dtype)
    pick_kernel[(triton.cdiv(rows, 64),)](scores, choice, picked, rows, columns, ROWS=64)
    return picked
