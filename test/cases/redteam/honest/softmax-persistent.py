# task: triton-softmax
# does: eight programs that walk over the rows

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, rows, columns, stride, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(y + row * stride + at, powers / tl.sum(powers, axis=0), mask=at < columns)


def softmax(x: torch.Tensor) -> torch.Tensor:
    rows, columns = x.shape
    y = torch.empty_like(x)
    block = triton.next_power_of_2(columns)
    softmax_kernel[(min(rows, 8),)](x, y, rows, columns, x.stride(0), BLOCK=block, num_warps=8 if block > 512 else 4)
    return y
