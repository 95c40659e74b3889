"""A histogram with atomics into memory that numpy owns, and a maximum."""
import numpy as np
import torch

import triton
import triton.language as tl


@triton.jit
def histogram_kernel(values, counts, largest, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(values + offsets, mask=mask, other=0)
    tl.atomic_add(counts + value, 1, mask=mask)
    tl.atomic_max(largest, tl.max(value, axis=0))


numbers = np.random.default_rng(7).integers(0, 16, 5000, dtype=np.int32)
counts = np.zeros(16, dtype=np.int32)
largest = torch.zeros(1, dtype=torch.int32)
arguments = torch.from_numpy(numbers), torch.from_numpy(counts), largest
histogram_kernel[(triton.cdiv(5000, 256), )](*arguments, 5000, BLOCK=256)
print("counts", np.array_equal(counts, np.bincount(numbers, minlength=16)), "largest", largest.item())
# Memory that numpy changes behind torch's back is seen by the next launch.
numbers[:] = 3
histogram_kernel[(triton.cdiv(5000, 256), )](*arguments, 5000, BLOCK=256)
print("after the change", counts[3] - np.bincount(np.random.default_rng(7).integers(0, 16, 5000, dtype=np.int32))[3])
