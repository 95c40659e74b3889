#@case {"kernel": "gram"}
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"SIDE": 16, "DEEP": 32}, num_warps=1), *more()], key=["d"])
@triton.jit
def gram(x, g, n, d, SIDE: tl.constexpr, DEEP: tl.constexpr):
    left = tl.program_id(0) * SIDE + tl.arange(0, SIDE)
    right = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    total = tl.zeros((SIDE, SIDE), dtype=tl.float32)
    for start in range(0, d, DEEP):
        k = start + tl.arange(0, DEEP)
        a = tl.load(x + left[:, None] * d + k[None, :], mask=(left[:, None] < n) & (k[None, :] < d), other=0.0)  #@ globalLoadSectors=8192
        b = tl.load(x + right[None, :] * d + k[:, None], mask=(right[None, :] < n) & (k[:, None] < d), other=0.0)  #@ globalLoadSectors=8192
        total = tl.dot(a, b, total)
    tl.store(g + left[:, None] * n + right[None, :], total, mask=(left[:, None] < n) & (right[None, :] < n))


def similarity(x):
    n, d = x.shape
    g = torch.empty((n, n), device=x.device)
    gram[lambda m: (triton.cdiv(n, m["SIDE"]), triton.cdiv(n, m["SIDE"]))](x, g, n, d)
    return g
