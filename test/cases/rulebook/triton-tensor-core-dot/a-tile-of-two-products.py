#@case {"kernel": "gated", "spec": {"run": {"kind": "entry", "entry": {"call": "gated.py::gate", "arguments": ["x", "w", "v"]}}, "inputs": {"x": {"dtype": "bfloat16", "shape": ["m", "k"]}, "w": {"dtype": "bfloat16", "shape": ["k", "n"]}, "v": {"dtype": "bfloat16", "shape": ["k", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def gated(X, W, V, Y, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    gate = tl.zeros((BM, BN), dtype=tl.float32)
    up = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        rk = start + tl.arange(0, BK)
        xm = (rm[:, None] < m) & (rk[None, :] < k)
        wm = (rk[:, None] < k) & (rn[None, :] < n)
        x = tl.load(X + rm[:, None] * k + rk[None, :], mask=xm, other=0.0).to(tl.float32)
        w = tl.load(W + rk[:, None] * n + rn[None, :], mask=wm, other=0.0).to(tl.float32)
        v = tl.load(V + rk[:, None] * n + rn[None, :], mask=wm, other=0.0).to(tl.float32)
        gate = tl.dot(x, w, gate, input_precision="ieee")  #@ instructions=200000 threadInstructions=6400000
        up = tl.dot(x, v, up, input_precision="ieee")  #@ instructions=200000 threadInstructions=6400000
    y = gate * tl.sigmoid(gate) * up
    tl.store(Y + rm[:, None] * n + rn[None, :], y, mask=(rm[:, None] < m) & (rn[None, :] < n))


def gate(x, w, v):
    m, k = x.shape
    n = w.shape[1]
    y = torch.empty((m, n), dtype=torch.float32, device=x.device)
    gated[(triton.cdiv(m, 64), triton.cdiv(n, 64))](x, w, v, y, m, n, k, BM=64, BN=64, BK=32)
    return y
