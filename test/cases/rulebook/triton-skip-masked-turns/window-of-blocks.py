#@case {"kernel": "near_only"}
import torch
import triton
import triton.language as tl

NEGATIVE = -1.0e9


@triton.jit
def near_only(q_ptr, k_ptr, o_ptr, n, reach, BLOCK: tl.constexpr):
    row_block = tl.program_id(0)
    rows = row_block * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + rows, mask=rows < n, other=0.0)
    total = tl.zeros((BLOCK,), tl.float32)
    for j in range(tl.cdiv(n, BLOCK)):  #@ instructions=9000
        columns = j * BLOCK + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + columns, mask=columns < n, other=0.0)
        kept = (columns[None, :] <= rows[:, None]) & (columns[None, :] > rows[:, None] - reach)
        kept &= columns[None, :] < n
        score = tl.where(kept, q[:, None] * k[None, :], 0.0)
        total += tl.sum(score, axis=1)
    tl.store(o_ptr + rows, total, mask=rows < n)


def run(q, k, reach):
    o = torch.empty_like(q)
    near_only[(triton.cdiv(q.numel(), 32),)](q, k, o, q.numel(), reach, BLOCK=32)
    return o
