#@case {"kernel": "l1"}
import torch
import triton
from triton import language as lang

CHUNK = 128


@triton.jit
def l1(x, y, n, CHUNK: lang.constexpr):
    row = lang.program_id(axis=0)
    part = lang.zeros([CHUNK], dtype=lang.float32)
    at = 0
    while at < n:
        i = at + lang.arange(0, CHUNK)
        part += lang.abs(lang.load(x + row * n + i, i < n, other=0.0))  #@ globalLoadRequests=4000
        at += CHUNK
    lang.store(y + row, lang.sum(part, 0))


def run(x):
    y = torch.empty(x.shape[0])
    l1[(x.shape[0],)](x, y, x.shape[1], CHUNK, num_warps=8)
    return y
