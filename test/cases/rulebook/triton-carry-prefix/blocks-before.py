#@case {"kernel": "running"}
import torch
import triton
import triton.language as tl


@triton.jit
def running(g_ptr, out_ptr, T, D, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr):
    o_t = tl.arange(0, BLOCK_T)
    o_d = tl.program_id(0) * BLOCK_D + tl.arange(0, BLOCK_D)
    base = g_ptr + tl.program_id(1) * T * D
    for i_t in range(0, tl.cdiv(T, BLOCK_T)):
        prefix = tl.zeros([BLOCK_D], dtype=tl.float32)
        for j_t in range(0, i_t):
            r = j_t * BLOCK_T + o_t
            before = tl.load(base + r[:, None] * D + o_d[None, :], mask=o_d[None, :] < D, other=0.0)  #@ instructions=10000
            prefix += tl.sum(before.to(tl.float32), axis=0)
        r = i_t * BLOCK_T + o_t
        mask = (r[:, None] < T) & (o_d[None, :] < D)
        g = tl.load(base + r[:, None] * D + o_d[None, :], mask=mask, other=0.0).to(tl.float32)  #@ instructions=1000
        s = tl.cumsum(g, axis=0) + prefix[None, :]
        tl.store(out_ptr + tl.program_id(1) * T * D + r[:, None] * D + o_d[None, :], s, mask=mask)


def run(g):
    B, T, D = g.shape
    out = torch.empty(g.shape, device=g.device, dtype=torch.float32)
    running[(triton.cdiv(D, 32), B)](g, out, T, D, BLOCK_T=16, BLOCK_D=32)
    return out
