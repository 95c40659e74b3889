#@case {"kernel":"project_kernel","launches":[{"blocks":16,"threads":128,"times":1,"bound":{"gpu":"A100 40GB SXM","nanoseconds":1,"terms":{},"binding":"dram"}}],"spec":{"run":{"kind":"entry","entry":{"call":"case.py::project","arguments":["x","w","r"]}},"inputs":{"x":{"dtype":"float16","shape":["m","k"]},"w":{"dtype":"float16","shape":["k","n"]},"r":{"dtype":"float16","shape":["m","n"]}},"outputs":{"y":{"dtype":"float16","shape":["m","n"]}}}}
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BN": 64, "BK": 64}, num_warps=4)], key=["n", "k"])
@triton.jit
def project_kernel(x, w, r, y, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(1) * BM + tl.arange(0, BM)
    j = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    xp = x + i[:, None] * k + d[None, :]
    wp = w + d[:, None] * n + j[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(0, k, BK):
        a = tl.load(xp, mask=(i[:, None] < m) & (d[None, :] < k - at), other=0.0)
        b = tl.load(wp, mask=(d[:, None] < k - at) & (j[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc)  #@ instructions=4000 tensorInstructions=200
        xp += BK
        wp += BK * n
    ok = (i[:, None] < m) & (j[None, :] < n)
    rest = tl.load(r + i[:, None] * n + j[None, :], mask=ok, other=0.0)
    acc += rest.to(tl.float32)
    acc = acc * tl.sigmoid(acc)
    tl.store(y + i[:, None] * n + j[None, :], acc.to(y.dtype.element_ty), mask=ok)


def project(x, w, r):
    m, k = x.shape
    n = w.shape[1]
    y = torch.empty((m, n), device=x.device, dtype=x.dtype)
    grid = lambda meta: (triton.cdiv(n, meta["BN"]), triton.cdiv(m, 16))
    project_kernel[grid](x, w, r, y, m, n, k, BM=16)
    return y
