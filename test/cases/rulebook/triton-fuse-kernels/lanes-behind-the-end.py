#@case {"kernel": "total_k"}
import torch
import triton
import triton.language as tl


@triton.jit
def lift_k(scores, top, lifted, n, B: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, B)
    s = tl.load(scores + row * n + col, mask=col < n, other=0.0)
    tl.store(lifted + row * n + col, tl.exp(s - tl.load(top + row)), mask=col < n)


@triton.jit
def total_k(lifted, scores, total, low, n, B: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, B)
    tl.store(total + row, tl.sum(tl.load(lifted + row * n + col, mask=col < n, other=0.0), axis=0))  #@ globalStoreRequests=1000
    tl.store(low + row, tl.min(tl.load(scores + row * n + col, mask=col < n, other=1e30), axis=0))


def totals(scores, top):
    m, n = scores.shape
    lifted = torch.empty_like(scores)
    total = torch.empty(m, device=scores.device)
    low = torch.empty(m, device=scores.device)
    B = triton.next_power_of_2(n)
    lift_k[(m,)](scores, top, lifted, n, B=B)
    total_k[(m,)](lifted, scores, total, low, n, B=B)
    return total, low
