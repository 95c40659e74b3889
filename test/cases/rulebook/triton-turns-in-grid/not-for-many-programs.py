#@case {"kernel": "instance_norm", "launches": [{"blocks": 800, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def instance_norm(x, y, C, HW, eps, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    for c in range(C):
        base = n * C * HW + c * HW
        o = tl.arange(0, BLOCK)
        m = o < HW
        v = tl.load(x + base + o, mask=m, other=0.0)  #@ instructions=40000
        mu = tl.sum(v, 0) / HW
        d = tl.where(m, v - mu, 0.0)
        var = tl.sum(d * d, 0) / HW
        tl.store(y + base + o, d * tl.rsqrt(var + eps), mask=m)


def inorm(x, eps=1e-5):
    N, C, H, W = x.shape
    y = torch.empty_like(x)
    instance_norm[(N,)](x, y, C, H * W, eps, BLOCK=triton.next_power_of_2(H * W))
    return y
