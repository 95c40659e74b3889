#@case {"kernel": "diffuse", "launches": [{"blocks": 16, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def diffuse(u_ptr, v_ptr, n, k, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  #@ instructions=900
    inside = (at > 0) & (at < n - 1)
    left = tl.load(u_ptr + at - 1, mask=inside, other=0.0)
    here = tl.load(u_ptr + at, mask=inside, other=0.0)
    right = tl.load(u_ptr + at + 1, mask=inside, other=0.0)
    tl.store(v_ptr + at, here + k * (left - 2 * here + right), mask=inside)


def diffusion(u, steps, k=0.1):
    u = u.clone()
    v = u.clone()
    for _ in range(steps):
        diffuse[(triton.cdiv(u.numel(), 256),)](u, v, u.numel(), k, BLOCK=256)
        u, v = v, u
    return u
