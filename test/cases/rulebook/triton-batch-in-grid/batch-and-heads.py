#@case {"kernel": "scale_part", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def scale_part(x_ptr, slope_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x * tl.load(slope_ptr), mask=at < n)


def scaled(x: torch.Tensor, slopes: torch.Tensor) -> torch.Tensor:
    x = x.contiguous()
    y = torch.empty_like(x)
    B, H, T, D = x.shape
    for b in range(B):
        for h in range(H):
            grid = (triton.cdiv(T * D, 512),)
            scale_part[grid](x[b, h], slopes[h], y[b, h], T * D, BLOCK=512)
    return y
