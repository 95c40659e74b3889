"""Programs that change what they have loaded. Blocks have more threads than elements, so that several threads load each; one stores it."""
import torch

import triton
import triton.language as tl


@triton.jit
def count_kernel(count_ptr, data_ptr, sum_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    count = tl.load(count_ptr)
    tl.store(count_ptr, count + 1)
    data = tl.load(data_ptr + offsets)
    tl.store(data_ptr + offsets, data + 1)
    # What all warps have loaded, not what the first one has stored meanwhile.
    if count == 0:
        tl.store(sum_ptr, tl.sum(data))
    while count < 3:
        count += 1
    tl.store(sum_ptr + 1, count)


@triton.jit
def shift_kernel(data_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(data_ptr + offsets, tl.load(data_ptr + offsets + 1))


for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
    count, data, sums = torch.zeros(1, dtype=dtype), torch.ones(32, dtype=dtype), torch.zeros(2, dtype=dtype)
    count_kernel[(1, )](count, data, sums, BLOCK=32)
    print(count.item(), data.sum().item(), sums.tolist())

# The thread beside may have stored before: only a barrier would help.
numbers = torch.arange(257, dtype=torch.int32)
shift_kernel[(1, )](numbers, BLOCK=256)
print("shifted", numbers[:4].tolist())
