#@case {"kernel": "gram"}
import torch
import triton
import triton.language as tl


@triton.jit
def gram(x, out, n, depth, T: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * T + tl.arange(0, T)
    cols = tl.program_id(1) * T + tl.arange(0, T)
    k = tl.arange(0, STEP)
    place = out + rows[:, None] * n + cols[None, :]
    inside = (rows[:, None] < n) & (cols[None, :] < n)
    for at in range(0, depth, STEP):
        here = at + k < depth
        a = tl.load(x + rows[:, None] * depth + at + k[None, :], mask=here[None, :], other=0.0)  #@ globalLoadRequests=100
        b = tl.load(x + cols[None, :] * depth + at + k[:, None], mask=here[:, None], other=0.0)  #@ globalLoadRequests=100
        so_far = tl.load(place, mask=inside, other=0.0)  #@ globalLoadRequests=1000
        tl.store(place, so_far + tl.dot(a, b), mask=inside)  #@ globalStoreRequests=1000
        tl.debug_barrier()


def run(x):
    n, depth = x.shape
    out = torch.zeros((n, n), device=x.device)
    gram[(triton.cdiv(n, 32), triton.cdiv(n, 32))](x, out, n, depth, T=32, STEP=32)
    return out
