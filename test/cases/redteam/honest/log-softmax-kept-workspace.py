# task: triton-logsumexp
# does: a class that keeps its scratch tensor between calls and launches two kernels over it

import torch
import triton
import triton.language as tl


@triton.jit
def lse_kernel(x, sums, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most = tl.full((), float("-inf"), tl.float32)
    total = tl.zeros((), tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf"))
        higher = tl.maximum(most, tl.max(part, axis=0))
        safe = tl.where(higher == float("-inf"), 0.0, higher)
        total = total * tl.exp(most - safe) + tl.sum(tl.exp(part - safe), axis=0)
        most = higher
    tl.store(sums + row, most + tl.log(total))


@triton.jit
def subtract_kernel(x, sums, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns)
    tl.store(y + row * columns + at, value - tl.load(sums + row), mask=at < columns)


class LogSoftmax:
    def __init__(self):
        self._scratch = None

    def _room(self, rows, like):
        if self._scratch is None or self._scratch.numel() < rows:
            self._scratch = torch.empty(rows, device=like.device, dtype=torch.float32)
        return self._scratch

    def __call__(self, x):
        rows, columns = x.shape
        sums, y = self._room(rows, x), torch.empty_like(x)
        lse_kernel[(rows,)](x, sums, columns, BLOCK=256)
        subtract_kernel[(rows, triton.cdiv(columns, 128))](x, sums, y, columns, BLOCK=128)
        return y


_module = LogSoftmax()


def log_softmax(x):
    return _module(x)
