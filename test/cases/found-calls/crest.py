import torch
import triton
import triton.language as tl

LONGEST = 4096


@triton.jit
def crest_kernel(x, out, length, PART: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    places = part * PART + tl.arange(0, PART)
    values = tl.load(x + row * length + places, mask=places < length, other=float("-inf"))
    tl.store(out + row * tl.num_programs(1) + part, tl.max(values, axis=0))


def crest(x):
    rows, length = x.shape
    if length <= LONGEST:
        return x.max(dim=1).values
    parts = triton.cdiv(length, LONGEST)
    out = torch.empty((rows, parts), device=x.device, dtype=x.dtype)
    crest_kernel[(rows, parts)](x, out, length, PART=LONGEST)
    return out.max(dim=1).values
