# task: triton-softmax
# does: the sum by a scan, of which the last element counts, in a nested function

import torch
import triton
import triton.language as tl


@triton.jit
def _plus(left, right):
    return left + right


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=float("-inf"))
    parts = tl.exp(values - tl.max(values, axis=0))
    running = tl.associative_scan(parts, 0, _plus)
    total = tl.sum(tl.where(at == BLOCK - 1, running, 0.0), axis=0)
    tl.store(y + row * columns + at, parts / total, mask=inside)


def softmax(x):
    rows, columns = x.shape
    y = torch.empty_like(x)

    def launch(block):
        softmax_kernel[(rows,)](x, y, columns, BLOCK=block, num_warps=min(8, max(1, block // 256)))

    launch(triton.next_power_of_2(columns))
    return y
