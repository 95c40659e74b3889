import torch
import triton
import triton.language as tl

HUGE = 1 << 28


@triton.jit
def squash_small(src, dst, count, WIDTH: tl.constexpr):
    at = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    inside = at < count
    value = tl.load(src + at, mask=inside)
    tl.store(dst + at, value / (1 + tl.abs(value)), mask=inside)


@triton.jit
def squash_huge(src, dst, count, WIDTH: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * WIDTH
    at = first + tl.arange(0, WIDTH)
    inside = at < count
    value = tl.load(src + at, mask=inside, eviction_policy="evict_first")
    tl.store(dst + at, value / (1 + tl.abs(value)), mask=inside, eviction_policy="evict_first")


def softsign(values: torch.Tensor) -> torch.Tensor:
    result = torch.empty_like(values)
    count = values.numel()
    if count >= HUGE:
        squash_huge[(triton.cdiv(count, 4096),)](values, result, count, WIDTH=4096)
    else:
        squash_small[(triton.cdiv(count, 1024),)](values, result, count, WIDTH=1024)
    return result
