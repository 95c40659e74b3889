"""Views of one storage: strides, offsets, transposes, overlapping arguments, empty and None arguments, tuples, host descriptors."""
import torch

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def copy_kernel(source, target, rows, columns, source_row, source_column, target_row, target_column, bias, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    mask = column < columns
    value = tl.load(source + row * source_row + column * source_column, mask=mask)
    if bias is not None:
        value += tl.load(bias + column, mask=mask)
    tl.store(target + row * target_row + column * target_column, value, mask=mask)


def copy(source, target, bias=None):
    rows, columns = source.shape
    copy_kernel[(rows, )](source, target, rows, columns, *source.stride(), *target.stride(), bias, BLOCK=triton.next_power_of_2(max(columns, 1)))


base = torch.arange(48, dtype=torch.float32).reshape(6, 8)
transposed = torch.empty(8, 6)
copy(base.t(), transposed)
print("transposed", torch.equal(transposed, base.t()))

part = torch.zeros(3, 3)
copy(base[1::2, 2:8:2], part)
print("steps", part.tolist())

# Source and target are two views of the same storage.
copy(base[:3], base[3:])
print("within", torch.equal(base[:3], base[3:]), "bytes of the storage", base.untyped_storage().nbytes())

target = torch.zeros(6, 8)
copy(base, target, bias=torch.full((8, ), 100.0))
print("bias", torch.equal(target, base + 100))

half = torch.zeros(4, 3, dtype=torch.float16)
odd = torch.arange(13, dtype=torch.float16)[1:].reshape(4, 3)
copy(odd, half)
print("odd start", torch.equal(half, odd))

copy_kernel[(0, )](base, target, 0, 8, 8, 1, 8, 1, None, BLOCK=8)
print("a grid of no blocks does nothing", torch.equal(target, base + 100))


@triton.jit
def tuple_kernel(pointers, sizes, scale):
    offsets = tl.arange(0, 8)
    value = tl.load(pointers[0] + offsets, mask=offsets < sizes[0])
    tl.store(pointers[1] + offsets, value * scale, mask=offsets < sizes[0])


out = torch.zeros(8)
tuple_kernel[(1, )]((base[0], out), (5, ), 2.5)
print("tuple", out.tolist())


@triton.jit
def descriptor_kernel(source, target, BLOCK: tl.constexpr):
    block = source.load([0, 0])
    target.store([0, 0], block.T)


square, turned = torch.arange(256, dtype=torch.float32).reshape(16, 16), torch.zeros(16, 16)
descriptor_kernel[(1, )](TensorDescriptor.from_tensor(square, [16, 16]), TensorDescriptor.from_tensor(turned, [16, 16]), BLOCK=16)
print("descriptor", torch.equal(turned, square.t()))

grown = torch.zeros(4)
copy(base[:1, :4], grown.reshape(1, 4))
grown.untyped_storage().resize_(64)
grown = grown.as_strided((16, ), (1, ))
copy(torch.arange(16, dtype=torch.float32).reshape(1, 16), grown.reshape(1, 16))
print("resized", grown.tolist() == list(range(16)))
