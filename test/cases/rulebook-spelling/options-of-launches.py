#@case {"kernel": "scale_k"}
import torch
import triton
import triton.language as tl

WARPS = dict(num_warps=8)


@triton.jit
def peak_k(g, peak, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(peak + r, tl.max(tl.load(g + r * n + c, mask=c < n, other=0.0), axis=0))


@triton.jit
def scale_k(g, peak, t, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(g + r * n + c, mask=c < n, other=0.0)
    tl.store(t + r * n + c, v / tl.load(peak + r), mask=c < n)


def run(g):
    rows, n = g.shape
    t = torch.empty_like(g)
    peak = torch.empty(rows, device=g.device)
    options = {"BLOCK": triton.next_power_of_2(n)}
    peak_k[(rows,)](g, peak, n, **options, **WARPS)
    scale_k[(rows,)](g, peak, t, n, **options, **WARPS)
    return t
