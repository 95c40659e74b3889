#@case {"kernel": "pairwise", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::cdist2", "arguments": ["P", "Q"]}}, "inputs": {"P": {"dtype": "float32", "shape": ["n", "d"]}, "Q": {"dtype": "float32", "shape": ["m", "d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def pairwise(P, Q, D, n, m, d, BN: tl.constexpr, BM: tl.constexpr, BD: tl.constexpr):
    i = tl.program_id(0) * BN + tl.arange(0, BN)
    j = tl.program_id(1) * BM + tl.arange(0, BM)
    cross = tl.zeros((BN, BM), dtype=tl.float32)
    sums = tl.zeros((BN, BM), dtype=tl.float32)
    for s in range(0, tl.cdiv(d, BD)):
        k = s * BD + tl.arange(0, BD)
        p = tl.load(P + i[:, None] * d + k[None, :], mask=(i[:, None] < n) & (k[None, :] < d), other=0.0)
        q = tl.load(Q + j[None, :] * d + k[:, None], mask=(j[None, :] < m) & (k[:, None] < d), other=0.0)
        cross += tl.sum(p[:, :, None] * q[None, :, :], 1)  #@ instructions=40000 threadInstructions=1280000
        sums += (tl.expand_dims(tl.trans(p * p), 2) * q[:, None, :]).sum(axis=0)  #@ instructions=40000 threadInstructions=1280000
    tl.store(D + i[:, None] * m + j[None, :], sums - 2 * cross, mask=(i[:, None] < n) & (j[None, :] < m))


def cdist2(P, Q):
    n, d = P.shape
    m, _ = Q.shape
    D = torch.empty(n, m, device=P.device)
    pairwise[(triton.cdiv(n, 16), triton.cdiv(m, 16))](P, Q, D, n, m, d, 16, 16, 16)
    return D
