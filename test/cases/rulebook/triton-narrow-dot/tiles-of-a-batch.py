#@case {"kernel": "mix_kernel", "spec": {"run": {"kind": "entry", "entry": {"call": "mix.py::mix", "arguments": ["signals", "weights"]}}, "inputs": {"signals": {"dtype": "bfloat16", "shape": ["batch", "m", "k"]}, "weights": {"dtype": "bfloat16", "shape": ["k", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(s_ptr, w_ptr, o_ptr, m, n, k, s_batch, s_row, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    base = s_ptr + tl.program_id(2) * s_batch
    rows = tl.program_id(0) * M + tl.arange(0, M)
    cols = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), tl.float32)
    for at in range(0, k, K):
        deep = at + tl.arange(0, K)
        s = tl.load(base + rows[:, None] * s_row + deep[None, :], mask=(rows[:, None] < m) & (deep[None, :] < k), other=0.0).to(tl.float32)  #@ globalLoadSectors=8192
        w = tl.load(w_ptr + deep[:, None] * n + cols[None, :], mask=(deep[:, None] < k) & (cols[None, :] < n), other=0.0)  #@ globalLoadSectors=8192
        acc = tl.dot(s, w.to(tl.float32), acc)  #@ instructions=200000 tensorInstructions=65536
    out = o_ptr + tl.program_id(2) * m * n + rows[:, None] * n + cols[None, :]
    tl.store(out, acc, mask=(rows[:, None] < m) & (cols[None, :] < n))


def mix(signals, weights):
    batch, m, k = signals.shape
    n = weights.shape[1]
    out = torch.empty((batch, m, n), dtype=torch.float32, device=signals.device)
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64), batch)
    mix_kernel[grid](signals, weights, out, m, n, k, signals.stride(0), signals.stride(1), M=64, N=64, K=32)
    return out
