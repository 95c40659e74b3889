"""Addresses that the program takes itself: a table of matrices of unequal size (grouped products), and one as a number."""
import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def grouped_kernel(a_addresses, b_addresses, c_addresses, sizes, groups, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    tile = tl.program_id(0)
    last = 0
    for group in range(groups):
        m = tl.load(sizes + group * 3)
        n = tl.load(sizes + group * 3 + 1)
        k = tl.load(sizes + group * 3 + 2)
        columns = tl.cdiv(n, BLOCK)
        tiles = tl.cdiv(m, BLOCK) * columns
        while tile >= last and tile < last + tiles:
            a_ptr = tl.load(a_addresses + group).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(b_addresses + group).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(c_addresses + group).to(tl.pointer_type(tl.float16))
            rows = (tile - last) // columns * BLOCK + tl.arange(0, BLOCK)
            cols = (tile - last) % columns * BLOCK + tl.arange(0, BLOCK)
            total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
            for at in range(0, k, BLOCK):
                depth = at + tl.arange(0, BLOCK)
                a = tl.load(a_ptr + rows[:, None] * k + depth[None, :], mask=(rows[:, None] < m) & (depth[None, :] < k), other=0.0)
                b = tl.load(b_ptr + depth[:, None] * n + cols[None, :], mask=(depth[:, None] < k) & (cols[None, :] < n), other=0.0)
                total = tl.dot(a, b, total)
            tl.store(c_ptr + rows[:, None] * n + cols[None, :], total.to(tl.float16), mask=(rows[:, None] < m) & (cols[None, :] < n))
            tile += PROGRAMS
        last += tiles


torch.manual_seed(0)
shapes = [(48, 32, 64), (16, 80, 32), (33, 17, 20)]
a = [torch.randn(m, k, device=DEVICE).half() for m, n, k in shapes]
b = [torch.randn(k, n, device=DEVICE).half() for m, n, k in shapes]
c = [torch.zeros(m, n, device=DEVICE).half() for m, n, k in shapes]
tables = [torch.tensor([each.data_ptr() for each in group], device=DEVICE) for group in (a, b, c)]
before = [table.clone() for table in tables]
sizes = torch.tensor(shapes, dtype=torch.int32, device=DEVICE)
grouped_kernel[(4, )](*tables, sizes, len(shapes), PROGRAMS=4, BLOCK=16)
print("products", [torch.allclose(each, x @ y, atol=1e-1) for each, x, y in zip(c, a, b)])
print("the tables are as they were", all(torch.equal(x, y) for x, y in zip(tables, before)))


@triton.jit
def through_number_kernel(address, out_addresses, offset):
    pointer = address.to(tl.pointer_type(tl.int32))
    tl.store(pointer + 2, 5)
    # The kernel writes an address of its own into the table.
    tl.store(out_addresses, (pointer + offset).to(tl.int64))


x, out = torch.zeros(4, dtype=torch.int32), torch.zeros(1, dtype=torch.int64)
through_number_kernel[(1, )](x.data_ptr(), out, 3)
print("number", x.tolist(), out.item() - x.data_ptr())
