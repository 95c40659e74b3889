import torch
import triton
import triton.language as tl


@triton.jit
def zscore_rows(src, dst, T, stride, CHUNK: tl.constexpr):
    """Standardizes each price series: (p - mean) / std."""
    series = tl.program_id(0).to(tl.int64)
    src += series * stride
    dst += series * stride
    total = 0.0
    for t0 in range(0, T, CHUNK):
        t = t0 + tl.arange(0, CHUNK)
        total += tl.sum(tl.load(src + t, mask=t < T, other=0.0))
    mean = total / T
    spread = 0.0
    for t0 in range(0, T, CHUNK):
        t = t0 + tl.arange(0, CHUNK)
        p = tl.load(src + t, mask=t < T, other=0.0)
        d = tl.where(t < T, p - mean, 0.0)
        spread += tl.sum(d * d)
    inv = 1.0 / tl.sqrt(spread / T + 1e-8)
    for t0 in range(0, T, CHUNK):
        t = t0 + tl.arange(0, CHUNK)
        p = tl.load(src + t, mask=t < T, other=0.0)
        tl.store(dst + t, (p - mean) * inv, mask=t < T)


def standardize(prices):
    n, T = prices.shape
    out = torch.empty_like(prices)
    zscore_rows[(n,)](prices, out, T, prices.stride(0), CHUNK=256)
    return out
