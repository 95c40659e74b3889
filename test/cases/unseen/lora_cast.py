import torch
import triton
import triton.language as tl


@triton.jit
def lora_down_kernel(
    X, A, Z,
    M, R, K,
    stride_xm, stride_xk, stride_ak, stride_ar, stride_zm, stride_zr,
    scaling,
    BM: tl.constexpr, BR: tl.constexpr, BK: tl.constexpr,
):
    pid_m = tl.program_id(0)
    pid_r = tl.program_id(1)
    rm = pid_m * BM + tl.arange(0, BM)
    rr = pid_r * BR + tl.arange(0, BR)
    rk = tl.arange(0, BK)

    x_ptrs = X + rm[:, None] * stride_xm + rk[None, :] * stride_xk
    a_ptrs = A + rk[:, None] * stride_ak + rr[None, :] * stride_ar

    acc = tl.zeros((BM, BR), dtype=tl.float32)
    for k in range(0, K, BK):
        k_left = K - k
        x = tl.load(x_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < k_left), other=0.0)
        a = tl.load(a_ptrs, mask=(rk[:, None] < k_left) & (rr[None, :] < R), other=0.0)
        # keep the low-rank product exact
        acc += tl.dot(x.to(tl.float32), a.to(tl.float32), allow_tf32=False)
        x_ptrs += BK * stride_xk
        a_ptrs += BK * stride_ak

    z_ptrs = Z + rm[:, None] * stride_zm + rr[None, :] * stride_zr
    tl.store(z_ptrs, (acc * scaling).to(tl.float16), mask=(rm[:, None] < M) & (rr[None, :] < R))


def lora_down(x, a, scaling=0.25):
    M, K = x.shape
    R = a.shape[1]
    z = torch.empty((M, R), device=x.device, dtype=torch.float16)
    grid = (triton.cdiv(M, 64), triton.cdiv(R, 32))
    lora_down_kernel[grid](
        x, a, z, M, R, K,
        x.stride(0), x.stride(1), a.stride(0), a.stride(1), z.stride(0), z.stride(1),
        scaling, BM=64, BR=32, BK=32, num_warps=4,
    )
    return z
