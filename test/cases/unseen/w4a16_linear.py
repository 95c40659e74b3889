import torch
import triton
import triton.language as tl


@triton.jit
def w4a16_kernel(
    a_ptr, qw_ptr, scale_ptr, c_ptr,
    M, N, K,
    stride_am, stride_ak, stride_qk, stride_qn, stride_sg, stride_sn, stride_cm, stride_cn,
    GROUP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    """C = A @ dequant(QW); QW holds eight 4-bit weights in an int32 along K, zero point 8."""
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak
    shifts = (offs_k % 8) * 4
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptrs, mask=offs_m[:, None] < M, other=0.0)
        packed = tl.load(
            qw_ptr + ((k + offs_k) // 8)[:, None] * stride_qk + offs_n[None, :] * stride_qn,
            mask=offs_n[None, :] < N, other=0,
        )
        scale = tl.load(scale_ptr + (k // GROUP) * stride_sg + offs_n * stride_sn, mask=offs_n < N, other=0.0)
        w = (((packed >> shifts[:, None]) & 0xF) - 8).to(tl.float32) * scale.to(tl.float32)[None, :]
        acc += tl.dot(a.to(tl.float32), w, input_precision="ieee")
        a_ptrs += BLOCK_K * stride_ak
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


def w4a16_matmul(a, qweight, scales, group_size=64):
    M, K = a.shape
    N = qweight.shape[1]
    c = torch.empty((M, N), device=a.device, dtype=torch.float16)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), triton.cdiv(N, meta["BLOCK_N"]))
    w4a16_kernel[grid](
        a, qweight, scales, c, M, N, K,
        a.stride(0), a.stride(1), qweight.stride(0), qweight.stride(1),
        scales.stride(0), scales.stride(1), c.stride(0), c.stride(1),
        GROUP=group_size, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4,
    )
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    M, N, K, G = 192, 256, 512, 64
    a = torch.randn(M, K, device="cuda", dtype=torch.float16)
    q = torch.randint(-(2**31), 2**31 - 1, (K // 8, N), device="cuda", dtype=torch.int64).to(torch.int32)
    s = torch.rand(K // G, N, device="cuda").half() * 0.1
    got = w4a16_matmul(a, q, s, G)
    w = torch.stack([((q >> (4 * i)) & 0xF) - 8 for i in range(8)], 1).reshape(K, N) * s.repeat_interleave(G, 0)
    torch.testing.assert_close(got.float(), a.float() @ w.float(), rtol=2e-2, atol=2e-2)
    print("ok")
