import torch
import triton
import triton.language as tl


@triton.jit
def scaled_outer(left, right, scale, out, R, C, WIDTH: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    inside = c < C
    factor = tl.load(left + r) * tl.load(scale + r % 3)
    tl.store(out + r * C + c, factor * tl.load(right + c, mask=inside), mask=inside)


# left: R, right: C, scale: 3, out: R * C, all on the device
def solve(left: torch.Tensor, right: torch.Tensor, scale: torch.Tensor, out: torch.Tensor, R: int, C: int):
    scaled_outer[(R, triton.cdiv(C, 128))](left, right, scale, out, R, C, WIDTH=128)
