import torch
import triton
import triton.language as tl


@triton.jit
def tally(codes_ptr, weights_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    o = start + tl.arange(0, BLOCK)
    inside = o < n
    code = tl.load(codes_ptr + o, mask=inside, other=0)
    w = tl.load(weights_ptr + o, mask=inside, other=0)
    hit = tl.where(code == 7, w, 0)
    tl.atomic_add(out_ptr + o * 0, hit, mask=inside)


def mismatches(codes, weights):
    total = torch.zeros(1, dtype=torch.int32, device=codes.device)
    n = codes.shape[0]
    tally[(triton.cdiv(n, 512),)](codes, weights, total, n, BLOCK=512)
    return total
