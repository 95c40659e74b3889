# task: triton-softmax
# does: Triton's own softmax over a row that one program holds

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, WIDTH: tl.constexpr):
    at = tl.arange(0, WIDTH)
    row = tl.program_id(0) * columns
    values = tl.load(x + row + at, mask=at < columns, other=float("-inf"))
    tl.store(y + row + at, tl.softmax(values), mask=at < columns)


def softmax(x):
    rows, columns = x.shape
    y = torch.empty_like(x)
    softmax_kernel[(rows,)](x, y, columns, WIDTH=triton.next_power_of_2(columns))
    return y
