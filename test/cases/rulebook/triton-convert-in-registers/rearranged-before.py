#@case {"kernel":"pool","copies":300,"spec":{"run":{"kind":"entry","entry":{"call":"case.py::pooled","arguments":["x"]}},"inputs":{"x":{"dtype":"float16","shape":["b","d","l"]}},"outputs":{"result":{"dtype":"float16","shape":["b","d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def pool(x, o, L, D, BL: tl.constexpr, BD: tl.constexpr):
    b = tl.program_id(0)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    acc = tl.zeros((BD,), tl.float32)
    for at in range(0, L, BL):
        i = at + tl.arange(0, BL)
        inside = (i[:, None] < L) & (d[None, :] < D)
        v = tl.load(x + b * L * D + i[:, None] * D + d[None, :], mask=inside, other=0.0)  #@ globalLoadSectors=4000
        acc += tl.sum(v, axis=0)
    tl.store(o + b * D + d, acc / L, mask=d < D)


def pooled(x):
    B, D, L = x.shape
    rows = x.transpose(1, 2).contiguous().float()
    o = torch.empty((B, D), device=x.device, dtype=torch.float32)
    pool[(B, triton.cdiv(D, 64))](rows, o, L, D, BL=32, BD=64)
    return o.to(x.dtype)
