import torch, triton
import triton.language as tl

@triton.jit
def potential(x, q, out, n, BJ: tl.constexpr):
    i = tl.program_id(0)
    xi = tl.load(x + i)
    acc = tl.zeros([BJ], dtype=tl.float32)
    for j0 in range(0, n, BJ):
        j = j0 + tl.arange(0, BJ)
        ok = j < n
        d = tl.abs(tl.load(x + j, mask=ok, other=0.0) - xi) + 0.1
        acc += tl.where(ok, tl.load(q + j, mask=ok, other=0.0) / d, 0.0)
    tl.store(out + i, tl.sum(acc, axis=0))

def potentials(x, q):
    out = torch.empty_like(x)
    n = x.shape[0]
    potential[(n,)](x, q, out, n, BJ=256)
    return out
