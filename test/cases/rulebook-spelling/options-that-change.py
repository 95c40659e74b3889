#@case {"kernel": "scale_k"}
import torch
import triton
import triton.language as tl


@triton.jit
def scale_k(g, t, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(t + r * n + c, 2 * tl.load(g + r * n + c, mask=c < n), mask=c < n)


def run(g, wide):
    rows, n = g.shape
    t = torch.empty_like(g)
    options = {"BLOCK": triton.next_power_of_2(n)}
    if wide:
        options["num_warps"] = 8
    scale_k[(rows,)](g, t, n, **options)
    return t
