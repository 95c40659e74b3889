#@case {"kernel": "weigh"}
import torch
import triton
from triton import language as T


@triton.jit
def weigh(A, W, out, n_cols, BR: T.constexpr, BC: T.constexpr):
    r = T.program_id(0) * BR + T.arange(0, BR)
    c = T.program_id(1) * BC + T.arange(0, BC)
    across = c[None, :]
    a = T.load(A + r[:, None] * n_cols + across)
    w = T.load(W + c)
    T.atomic_add(T.broadcast_to(out + r[:, None], (BR, BC)), a * w[None, :], sem="relaxed")  #@ globalAtomics=512 globalAtomicPasses=32768


def run(A, W):
    out = torch.zeros(A.shape[0], device=A.device)
    weigh[(A.shape[0] // 16, A.shape[1] // 64)](A, W, out, A.shape[1], BR=16, BC=64)
    return out
