#@case {"kernel": "vector_add_kernel"}
import torch
import triton
import triton.language as tl


@triton.jit
def vector_add_kernel(a_pointer, b_pointer, out_pointer, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(a_pointer + offsets, mask=mask)  #@ globalLoadRequests=4096 globalLoadSectors=16384 globalLoadSectorsIdeal=16384 globalBytesRequested=524288
    b = tl.load(b_pointer + offsets, mask=mask)  #@ globalLoadRequests=4096 globalLoadSectors=16384 globalLoadSectorsIdeal=16384 globalBytesRequested=524288
    tl.store(out_pointer + offsets, a + b, mask=mask)  #@ globalStoreRequests=2048 globalStoreSectors=8192 globalStoreSectorsIdeal=8192 globalBytesRequested=262144


def vector_add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    block = 64
    vector_add_kernel[(triton.cdiv(n, block),)](a, b, out, n, BLOCK=block, num_warps=4)
    return out
