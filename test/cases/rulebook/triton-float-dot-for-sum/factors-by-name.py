#@case {"kernel": "scores_kernel", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::attention_scores", "arguments": ["q", "k"]}}, "inputs": {"q": {"dtype": "float32", "shape": ["m", "k"]}, "k": {"dtype": "float32", "shape": ["k", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def scores_kernel(q, k, s, T, D, scale, BT: tl.constexpr, BS: tl.constexpr, BD: tl.constexpr):
    bh = tl.program_id(2)
    i = tl.program_id(0) * BT + tl.arange(0, BT)
    j = tl.program_id(1) * BS + tl.arange(0, BS)
    d = tl.arange(0, BD)
    base = bh * T * D
    qt = tl.load(q + base + i[:, None] * D + d[None, :], mask=(i[:, None] < T) & (d[None, :] < D), other=0.0)
    kt = tl.load(k + base + j[:, None] * D + d[None, :], mask=(j[:, None] < T) & (d[None, :] < D), other=0.0)
    products = kt[None, :, :] * qt[:, None, :]
    acc = tl.sum(products, axis=-1) * scale  #@ instructions=40000 threadInstructions=1280000
    tl.store(s + bh * T * T + i[:, None] * T + j[None, :], acc, mask=(i[:, None] < T) & (j[None, :] < T))


def attention_scores(q, k):
    B, H, T, D = q.shape
    s = torch.empty(B, H, T, T, device=q.device, dtype=torch.float32)
    BD = triton.next_power_of_2(D)
    grid = (triton.cdiv(T, 16), triton.cdiv(T, 16), B * H)
    scores_kernel[grid](q, k, s, T, D, D ** -0.5, BT=16, BS=16, BD=BD)
    return s
