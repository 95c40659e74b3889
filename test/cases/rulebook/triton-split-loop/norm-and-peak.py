#@case {"kernel": "norm_and_peak", "launches": [{"blocks": 1, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def norm_and_peak(x_ptr, out_ptr, n, CHUNK: tl.constexpr):
    lanes = tl.arange(0, CHUNK)
    peak = -float("inf")
    total = tl.zeros([CHUNK], dtype=tl.float32)
    count = 0
    for i in range(0, tl.cdiv(n, CHUNK)):
        at = i * CHUNK + lanes
        inside = at < n
        v = tl.load(x_ptr + at, mask=inside, other=0.0)  #@ instructions=1000
        total = tl.where(inside, total + v * v, total)
        peak = max(peak, tl.max(tl.abs(v), axis=0))
        count += tl.sum((v != 0.0).to(tl.int32), axis=0)
    norm = tl.sqrt(tl.sum(total))
    tl.store(out_ptr, norm)
    tl.store(out_ptr + 1, peak)
    if count > 0:
        tl.store(out_ptr + 2, norm / count)


def norm_of(x, out):
    norm_and_peak[(1,)](
        x,
        out,
        x.numel(),
        CHUNK=1024,
    )
