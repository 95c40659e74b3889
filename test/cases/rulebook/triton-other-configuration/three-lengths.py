#@case {"kernel": "blend"}
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"SPAN": 32}, num_warps=8),
        triton.Config({"SPAN": 1024}, num_warps=4),  # long rows
        triton.Config({"SPAN": 32}, num_warps=8),
        triton.Config(
            {"SPAN": 256},
            num_warps=2,
        ),
    ],
    key=["count"],
)
@triton.jit
def blend(under, over, share, out, count, SPAN: tl.constexpr):
    where = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    there = where < count
    alpha = tl.load(share + where, mask=there)  #@ globalLoadRequests=2048 instructions=40960
    low = tl.load(under + where, mask=there)
    high = tl.load(over + where, mask=there)
    tl.store(out + where, low + alpha * (high - low), mask=there)


def composite(under, over, share):
    out = torch.empty_like(under)
    blend[lambda chosen: (triton.cdiv(out.numel(), chosen["SPAN"]),)](under, over, share, out, out.numel())
    return out
