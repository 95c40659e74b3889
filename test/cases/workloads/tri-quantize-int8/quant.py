import torch
import triton
import triton.language as tl

try:
    from triton.language.extra.cuda import libdevice
except ImportError:
    libdevice = None


@triton.jit
def quantize_rows(x, q, scales, n_cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    amax = 0.0
    for c in range(0, n_cols, BLOCK):
        o = c + tl.arange(0, BLOCK)
        v = tl.load(x + r * n_cols + o, mask=o < n_cols, other=0.0).to(tl.float32)
        amax = tl.maximum(amax, tl.max(tl.abs(v)))
    scale = tl.maximum(amax, 1e-10) / 127.0
    tl.store(scales + r, scale)
    for c in range(0, n_cols, BLOCK):
        o = c + tl.arange(0, BLOCK)
        v = tl.load(x + r * n_cols + o, mask=o < n_cols, other=0.0).to(tl.float32) / scale
        v = tl.where(v >= 0, v + 0.5, v - 0.5)
        tl.store(q + r * n_cols + o, v.to(tl.int8), mask=o < n_cols)


def quantize(x: torch.Tensor):
    assert x.dim() == 2
    x = x.contiguous()
    q = torch.empty(x.shape, dtype=torch.int8, device=x.device)
    s = torch.empty(x.shape[0], 1, dtype=torch.float32, device=x.device)
    quantize_rows[(x.shape[0],)](x, q, s, x.shape[1], BLOCK=128)
    return q, s


def dequantize(q, s):
    return q.float() * s
