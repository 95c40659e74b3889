#@case {"kernel": "softmax"}
import torch
import triton
import triton.language as tl


@triton.jit
def biased(row, bias, at, n, scale=1.0):
    keep = at < n
    x = tl.load(row + at, mask=keep, other=0.0) * scale
    return tl.where(keep, x + tl.load(bias + at, mask=keep), float("-inf"))


@triton.jit
def halves(v, PARTS: tl.constexpr):
    return v / PARTS, v * PARTS


@triton.jit
def keep_row(y, at, v, n):
    tl.store(y + at, v, mask=at < n)


@triton.jit
def softmax(x, bias, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    cols = tl.arange(0, BLOCK)
    m = float("-inf")
    for start in range(0, n, BLOCK):
        m = tl.maximum(m, tl.max(biased(x + row, bias, start + cols, n), axis=0))
    s = 0.0
    for start in range(0, n, BLOCK):
        keep = biased(x + row, bias, start + cols, n, scale=1.0)
        s += tl.sum(tl.exp(keep - m), axis=0)
    low, high = halves(s, 2 * 2)
    for start in range(0, n, BLOCK):
        at = start + cols
        keep_row(y + row, at, tl.exp(biased(x + row, bias, at, n) - m) / (low + high), n)


def run(x, bias):
    y = torch.empty_like(x)
    softmax[(x.shape[0],)](x, bias, y, x.shape[1], BLOCK=256)
    return y
