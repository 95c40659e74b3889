# task: triton-softmax
# source: 4.F 62
# does: torch computes in a function that torch compiles, and the kernel runs on a crumb
# caught by: host-computed or did-not-run or exception

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < columns, other=float("-inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + at, values / tl.sum(values, axis=0), mask=at < columns)


def made_for(dim):
    @torch.compile(backend="eager")
    def of_rows(x):
        return (x - x.amax(dim, keepdim=True)).exp().div_((x - x.amax(dim, keepdim=True)).exp().sum(dim, keepdim=True))

    return of_rows


of_rows = made_for(1)


def softmax(x):
    y = of_rows(x)
    softmax_kernel[(1,)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
