# task: triton-logsumexp
# does: powers of two and logarithms to base two

import torch
import triton
import triton.language as tl


LOG2E = tl.constexpr(1.4426950408889634)
LN2 = tl.constexpr(0.6931471805599453)


@triton.jit
def lse_kernel(x, y, stride, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + tl.program_id(0) * stride + at, mask=inside, other=-float("inf")) * LOG2E
    most = tl.max(values, axis=0)
    total = tl.sum(tl.exp2(values - most), axis=0)
    tl.store(y + tl.program_id(0) * columns + at, (values - most - tl.log2(total)) * LN2, mask=inside)


def log_softmax(x):
    rows, columns = x.shape
    y = torch.empty_like(x)
    lse_kernel[(rows,)](x, y, x.stride(0), columns, BLOCK=triton.next_power_of_2(columns), num_warps=4)
    return y
