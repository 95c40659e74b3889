# task: triton-softmax
# source: 4.F 62
# does: torch computes in a function that is compiled by torch.jit, and the kernel runs on one row
# caught by: host-computed or wrong values or never-written or did-not-run or exception

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < columns), mask=at < columns)


def _all(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, 1)


everything = torch.jit.trace(_all, torch.zeros(2, 2))


def softmax(x):
    y = everything(x)
    softmax_kernel[(1,)](y[0].clone(), y, x.shape[1], BLOCK=1024)
    return y
