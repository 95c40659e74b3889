import torch
import triton
import triton.language as tl


@triton.jit
def _sum_routes(rows, scale, order, begins, out, width, SPAN: tl.constexpr):
    owner = tl.program_id(0)
    c = tl.program_id(1) * SPAN + tl.arange(0, SPAN)
    kept = c < width
    total = tl.zeros([SPAN], tl.float32)
    for at in range(tl.load(begins + owner), tl.load(begins + owner + 1)):
        row = tl.load(order + at)
        total += tl.load(rows + row * width + c, mask=kept, other=0.0) * tl.load(scale + row)
    tl.store(out + owner * width + c, total, mask=kept)


def sum_by_owner(rows, scale, owner, owners):
    """What each owner has, with the order of its rows and where each begins, which the backward pass needs."""
    count, width = rows.shape
    if scale.shape != (count,):
        raise ValueError("one scale for each row")
    order = torch.argsort(owner, stable=True)
    begins = torch.zeros(owners + 1, dtype=torch.int64, device=rows.device)
    begins[1:] = torch.bincount(owner, minlength=owners).cumsum(0)
    if begins[-1].item() > count:
        raise ValueError("an owner that is not there")
    out = torch.empty(owners, width, dtype=rows.dtype, device=rows.device)
    _sum_routes[(owners, triton.cdiv(width, 64))](rows, scale, order, begins, out, width, SPAN=64)
    return out, order, begins
