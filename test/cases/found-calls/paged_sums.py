"""Sums of the rows of a cache that lies in blocks, one of which holds a few tokens of one sequence."""

import torch
import triton
import triton.language as tl


@triton.jit
def paged_sum_kernel(
    cache, tables, lengths, out, table_stride, width, HELD: tl.constexpr, STEP: tl.constexpr, WIDTH: tl.constexpr
):
    sequence = tl.program_id(0)
    length = tl.load(lengths + sequence)
    lanes = tl.arange(0, WIDTH)
    total = tl.zeros([WIDTH], dtype=tl.float32)
    for begin in range(0, length, STEP):
        token = begin + tl.arange(0, STEP)
        block = tl.load(tables + sequence * table_stride + token // HELD, mask=token < length, other=0)
        row = block * HELD + token % HELD
        inside = (token < length)[:, None] & (lanes < width)[None, :]
        total += tl.sum(tl.load(cache + row[:, None] * width + lanes[None, :], mask=inside, other=0.0), axis=0)
    tl.store(out + sequence * width + lanes, total, mask=lanes < width)


def paged_sums(
    cache,  # [num_blocks, block_size, width]
    block_tables,  # [sequences, max_blocks_per_seq]
    context_lens,  # [sequences]
):
    num_blocks, block_size, width = cache.shape
    sequences, max_blocks_per_seq = block_tables.shape
    out = torch.empty((sequences, width), device=cache.device, dtype=torch.float32)
    paged_sum_kernel[(sequences,)](
        cache,
        block_tables,
        context_lens,
        out,
        block_tables.stride(0),
        width,
        HELD=block_size,
        STEP=16,
        WIDTH=triton.next_power_of_2(width),
    )
    return out
