"""y = x @ dequantised(W); W is packed, eight 4-bit values in each int32 along K."""
import torch
import triton
import triton.language as tl


@triton.heuristics({"EVEN_M": lambda args: args["M"] % args["BLOCK_M"] == 0})
@triton.jit
def w4_matmul(x_ptr, w_ptr, s_ptr, y_ptr, M, N, K, GROUP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
              BLOCK_K: tl.constexpr, EVEN_M: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for k0 in range(0, K, BLOCK_K):
        k = k0 + tl.arange(0, BLOCK_K)
        if EVEN_M:
            x = tl.load(x_ptr + m[:, None] * K + k[None, :])
        else:
            x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=m[:, None] < M, other=0.0)
        packed = tl.load(w_ptr + (k[:, None] // 8) * N + n[None, :], mask=n[None, :] < N, other=0)
        nib = (packed >> ((k[:, None] % 8) * 4)) & 0xF
        s = tl.load(s_ptr + (k[:, None] // GROUP) * N + n[None, :], mask=n[None, :] < N, other=0.0)
        w = (nib.to(tl.float32) - 8.0) * s
        acc += tl.dot(x, w.to(x.dtype))
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc.to(y_ptr.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


class W4Linear(torch.nn.Module):
    GROUP = 32

    def __init__(self, in_features, out_features):
        super().__init__()
        self.register_buffer("qweight", torch.randint(-(2**31), 2**31 - 1, (in_features // 8, out_features), dtype=torch.int32))
        self.register_buffer("scales", torch.rand(in_features // self.GROUP, out_features, dtype=torch.float16) * 0.01)

    def forward(self, x):
        m, k = x.shape
        n = self.qweight.shape[1]
        y = x.new_empty(m, n)
        w4_matmul[(triton.cdiv(m, 16), triton.cdiv(n, 32))](
            x, self.qweight, self.scales, y, m, n, k, GROUP=self.GROUP, BLOCK_M=16, BLOCK_N=32, BLOCK_K=32
        )
        return y
