# task: triton-logsumexp
# does: walks rows by pointers to blocks that advance, and fills what lies behind a row in the kernel

import torch
import triton
import triton.language as tl


@triton.jit
def piece_of(block, start, columns, BLOCK: tl.constexpr):
    values = tl.load(block, boundary_check=(0, 1), padding_option="zero").to(tl.float32)
    inside = start + tl.arange(0, BLOCK) < columns
    return tl.where(inside[None, :], values, float("-inf"))


@triton.jit
def lse_kernel(x, y, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0) * ROWS
    source = tl.make_block_ptr(x, (rows, columns), (columns, 1), (first, 0), (ROWS, BLOCK), (1, 0))
    target = tl.make_block_ptr(y, (rows, columns), (columns, 1), (first, 0), (ROWS, BLOCK), (1, 0))

    largest = tl.full((ROWS,), float("-inf"), tl.float32)
    walk = source
    for start in range(0, columns, BLOCK):
        largest = tl.maximum(largest, tl.max(piece_of(walk, start, columns, BLOCK), axis=1))
        walk = tl.advance(walk, (0, BLOCK))

    total = tl.zeros((ROWS,), tl.float32)
    walk = source
    for start in range(0, columns, BLOCK):
        total += tl.sum(tl.exp(piece_of(walk, start, columns, BLOCK) - largest[:, None]), axis=1)
        walk = tl.advance(walk, (0, BLOCK))

    shift = tl.log(total)
    for start in range(0, columns, BLOCK):
        values = piece_of(source, start, columns, BLOCK)
        result = (values - largest[:, None]) - shift[:, None]
        tl.store(target, result.to(y.dtype.element_ty), boundary_check=(0, 1))
        source = tl.advance(source, (0, BLOCK))
        target = tl.advance(target, (0, BLOCK))


def log_softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    lse_kernel[(triton.cdiv(rows, 2),)](x, y, rows, columns, ROWS=2, BLOCK=128, num_warps=4)
    return y
