#@case {"kernel": "matmul_kernel", "spec": {"run": {"kind": "entry", "entry": {"call": "matmul.py::matmul", "arguments": ["left", "right"]}}, "inputs": {"left": {"dtype": "float16", "shape": ["m", "k"]}, "right": {"dtype": "float16", "shape": ["k", "n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_pointer, b_pointer, c_pointer, m, n, k,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    a_places = a_pointer + (rows % m)[:, None] * k + tl.arange(0, BLOCK_K)[None, :]
    b_places = b_pointer + tl.arange(0, BLOCK_K)[:, None] * n + (columns % n)[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_places)  #@ globalLoadSectors=8192 globalLoadSectorsIdeal=8192
        b = tl.load(b_places)  #@ globalLoadSectors=8192 globalLoadSectorsIdeal=8192
        total += tl.dot(a.to(tl.float32), b.to(tl.float32), input_precision="ieee")  #@ instructions=200000 threadInstructions=6400000
        a_places += BLOCK_K
        b_places += BLOCK_K * n
    c_mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_pointer + rows[:, None] * n + columns[None, :], total, mask=c_mask)


def matmul(a, b):
    m, k = a.shape
    n = b.shape[1]
    c = torch.empty((m, n), dtype=torch.float32, device=a.device)
    grid = (triton.cdiv(m, 16), triton.cdiv(n, 32))
    matmul_kernel[grid](a, b, c, m, n, k, BLOCK_M=16, BLOCK_N=32, BLOCK_K=32, num_warps=4)
    return c
