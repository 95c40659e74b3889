import torch
import triton
import triton.language as tl


@triton.jit
def _gather_pages(pool, table, used, out, table_width, most, warm, PAGE: tl.constexpr, WIDTH: tl.constexpr):
    line = tl.program_id(0)
    page = tl.program_id(1)
    slot = tl.arange(0, PAGE)
    e = tl.arange(0, WIDTH)
    place = page * PAGE + slot
    kept = place < tl.load(used + line)
    at = tl.load(table + line * table_width + page)
    x = tl.load(pool + (at * PAGE + slot)[:, None] * WIDTH + e[None, :], mask=kept[:, None], other=0.0)
    tl.store(out + (line * most + place)[:, None] * WIDTH + e[None, :], x * warm, mask=(place < most)[:, None])


def gather_caches(pools, block_table, used_lens, warm=1.0):
    """The pages of each line one after the other, of one layer's pool after the other."""
    lines, table_width = block_table.shape
    out = []
    for pool in pools:
        pages, page, width = pool.shape
        rows = torch.empty(lines, table_width * page, width, dtype=pool.dtype, device=pool.device)
        _gather_pages[(lines, table_width)](pool, block_table, used_lens, rows, table_width, table_width * page, warm,
                                            PAGE=page, WIDTH=width)
        out.append(rows)
    return out
