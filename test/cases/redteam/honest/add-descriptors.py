# task: triton-add
# does: tensor descriptors made on the device

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    left = tl.make_tensor_descriptor(a, shape=[n], strides=[1], block_shape=[BLOCK])
    right = tl.make_tensor_descriptor(b, shape=[n], strides=[1], block_shape=[BLOCK])
    result = tl.make_tensor_descriptor(out, shape=[n], strides=[1], block_shape=[BLOCK])
    result.store([first], left.load([first]) + right.load([first]))


def alloc(size, alignment, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)


def add(a, b):
    triton.set_allocator(alloc)
    out = torch.empty_like(a)
    n = a.numel()
    add_kernel[(triton.cdiv(n, 256),)](a, b, out, n, BLOCK=256)
    return out
