import torch
import triton
import triton.language as tl


@triton.jit
def sq(v):
    return v * v


@triton.jit
def channel_stats(inp, total, total_sq, C, HW, BLOCK_HW: tl.constexpr):
    plane = tl.program_id(0)
    part = tl.program_id(1)
    channel = plane % C
    hw = part * BLOCK_HW + tl.arange(0, BLOCK_HW)
    inside = hw < HW
    v = tl.load(inp + plane * HW + hw, mask=inside, other=0.0)
    where = tl.full((BLOCK_HW,), 0, tl.int32) + channel
    tl.atomic_add(total + where, v, mask=inside)
    tl.atomic_add(total_sq + where, sq(v), mask=inside)


def batch_norm_stats(x):
    N, C, H, W = x.shape
    stats = torch.zeros((2, C), dtype=torch.float32, device=x.device)
    HW = H * W
    grid = lambda meta: (N * C, triton.cdiv(HW, meta["BLOCK_HW"]))
    channel_stats[grid](x, stats[0], stats[1], C, HW, BLOCK_HW=256)
    return stats
