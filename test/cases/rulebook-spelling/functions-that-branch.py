#@case {"kernel": "second"}
import torch
import triton
import triton.language as tl


@triton.jit
def second(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 1 + tl.load(x + i, mask=i < n), mask=i < n)


def one_more(x):
    if x.numel() == 0:
        return x
    y = torch.empty_like(x)
    second[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
    return y


def both(x):
    return one_more(one_more(x))
