#@case {"kernel": "vector_add_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def vector_add_kernel(a_pointer, b_pointer, out_pointer, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) + tl.arange(0, BLOCK) * tl.num_programs(0)
    mask = offsets < n
    a = tl.load(a_pointer + offsets, mask=mask)  #@ globalLoadSectors=65536 globalLoadSectorsIdeal=8192
    b = tl.load(b_pointer + offsets, mask=mask)
    tl.store(out_pointer + offsets, a + tl.sum(b), mask=mask)  #@ globalStoreSectors=65536 globalStoreSectorsIdeal=8192


def vector_add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    block = 64
    vector_add_kernel[(triton.cdiv(n, block),)](a, b, out, n, BLOCK=block, num_warps=4)
    return out
