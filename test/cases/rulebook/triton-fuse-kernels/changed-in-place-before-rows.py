#@case {"kernel": "center_k"}
import torch
import triton
import triton.language as tl


@triton.jit
def decay_k(state, push, total, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < total
    s = tl.load(state + at, mask=live)
    p = tl.load(push + at, mask=live)
    tl.store(state + at, 0.9 * s + p, mask=live)


@triton.jit
def center_k(state, out, width, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(state + r * width + c, mask=c < width, other=0.0)  #@ globalLoadRequests=1000
    tl.store(out + r * width + c, v - tl.sum(v, axis=0) / width, mask=c < width)  #@ globalStoreRequests=1000


def step(state, push):
    rows, width = state.shape
    out = torch.empty_like(state)
    total = state.numel()
    decay_k[(triton.cdiv(total, 1024),)](state, push, total, BLOCK=1024)
    center_k[(rows,)](state, out, width, BLOCK=triton.next_power_of_2(width))
    return out
