import torch
import triton
import triton.language as tl

@triton.jit
def mm_kernel(A, B, C, M, N, K, sam, sak, sbk, sbn, scm, scn, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    col = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros([TILE, TILE], tl.float32)
    for k0 in range(0, tl.cdiv(K, TILE)):
        kk = k0 * TILE + tl.arange(0, TILE)
        a = tl.load(A + row[:, None] * sam + kk[None, :] * sak, mask=(row[:, None] < M) & (kk[None, :] < K), other=0.)
        b = tl.load(B + kk[:, None] * sbk + col[None, :] * sbn, mask=(kk[:, None] < K) & (col[None, :] < N), other=0.)
        total = tl.dot(a, b, total)
    tl.store(C + row[:, None] * scm + col[None, :] * scn, total, mask=(row[:, None] < M) & (col[None, :] < N))

def mm(a, b):
    c = torch.empty(a.shape[0], b.shape[1], dtype=torch.float32, device=a.device)
    TILE = 16
    mm_kernel[(triton.cdiv(a.shape[0], TILE), triton.cdiv(b.shape[1], TILE))](
        a, b, c, a.shape[0], b.shape[1], a.shape[1],
        a.stride(0), a.stride(1), b.stride(0), b.stride(1), c.stride(0), c.stride(1), TILE=TILE)
    return c
