# task: triton-softmax
# does: reduces pairs of a maximum and a sum

import torch
import triton
import triton.language as tl


@triton.jit
def join_pairs(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    safe = tl.where(m == float("-inf"), 0.0, m)
    return m, s1 * tl.exp(m1 - safe) + s2 * tl.exp(m2 - safe)


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf"))
    ones = tl.where(at < columns, 1.0, 0.0)
    m, s = tl.reduce((v, ones), 0, join_pairs)
    tl.store(y + row * columns + at, tl.exp(v - m) / s, mask=at < columns)


def softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    softmax_kernel[(rows,)](x, y, columns, BLOCK=triton.next_power_of_2(columns), num_warps=4)
    return y
