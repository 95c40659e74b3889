#@case {"kernel": "gn_kernel"}
import torch
import triton
import triton.language as tl

@triton.jit
def gn_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, HW, G, eps, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    n = pid // G
    g = pid % G
    cpg = C // G
    base = (n * C + g * cpg) * HW
    total = cpg * HW
    s = 0.0
    for i in range(0, total, BLOCK):
        o = i + tl.arange(0, BLOCK)
        s += tl.sum(tl.load(x_ptr + base + o, mask=o < total, other=0.0), 0)
    mean = s / total
    v = 0.0
    for i in range(0, total, BLOCK):
        o = i + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + o, mask=o < total, other=0.0)  #@ globalLoadSectors=100000
        d = tl.where(o < total, x - mean, 0.0)
        v += tl.sum(d * d, 0)
    rstd = 1.0 / tl.sqrt(v / total + eps)
    for i in range(0, total, BLOCK):
        o = i + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + o, mask=o < total, other=0.0)  #@ globalLoadSectors=100000
        c = g * cpg + o // HW
        w = tl.load(w_ptr + c, mask=o < total, other=0.0)
        b = tl.load(b_ptr + c, mask=o < total, other=0.0)
        tl.store(y_ptr + base + o, (x - mean) * rstd * w + b, mask=o < total)


def group_norm(x, groups, weight, bias, eps=1e-5):
    """x: (N, C, H, W) float32."""
    N, C, H, W = x.shape
    y = torch.empty_like(x)
    gn_kernel[(N * groups,)](x, weight, bias, y, C, H * W, groups, eps, BLOCK=256, num_warps=1)
    return y
