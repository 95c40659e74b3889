#@case {"kernel": "scale_k"}
import torch
import triton
import triton.language as tl


@triton.jit
def peak_k(g, peak, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(g + r * n + c, mask=c < n, other=0.0).to(tl.float32)
    tl.store(peak + r, tl.max(tl.abs(v), axis=0))


@triton.jit
def scale_k(g, peak, t, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(g + r * n + c, mask=c < n, other=0.0).to(tl.float32)
    tl.store(t + r * n + c, v / tl.load(peak + r), mask=c < n)  #@ globalStoreRequests=1000


class Scaler:
    def __init__(self, rows, n):
        self.n = n
        self.peak = torch.empty(rows, device="cuda")

    def scale(self, g):
        t = torch.empty_like(g)
        peak_k[(g.shape[0],)](g, self.peak, self.n, BLOCK=triton.next_power_of_2(self.n), num_warps=8)
        scale_k[(g.shape[0],)](g, self.peak, t, self.n, BLOCK=triton.next_power_of_2(self.n), num_warps=8)
        return t, self.peak
