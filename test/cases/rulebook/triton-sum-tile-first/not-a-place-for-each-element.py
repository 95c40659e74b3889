#@case {"kernel": "merge"}
import torch
import triton
import triton.language as tl


@triton.jit
def merge(part, whole, n, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    k = tl.arange(0, BN)
    at = m[:, None] * n + k[None, :]
    tl.atomic_add(whole + at, tl.load(part + at))  #@ globalAtomics=512 globalAtomicPasses=16384


def run(part, whole):
    merge[(part.shape[0] // 16,)](part, whole, part.shape[1], BM=16, BN=64)
    return whole
