import torch, triton
import triton.language as tl

BLOCK = 64

@triton.jit
def silu_mul_kernel(G, U, O, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    ok = i < N
    g = tl.load(G + i, mask=ok, other=0.0).to(tl.float32)
    u = tl.load(U + i, mask=ok, other=0.0).to(tl.float32)
    tl.store(O + i, (g * tl.sigmoid(g) * u).to(O.dtype.element_ty), mask=ok)

def silu_mul(gate, up):
    o = torch.empty_like(gate)
    N = gate.numel()
    silu_mul_kernel[(triton.cdiv(N, BLOCK),)](gate, up, o, N, B=BLOCK)
    return o
