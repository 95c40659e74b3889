import torch
import triton
import triton.language as tl


@triton.jit
def count_kernel(code_ptr, hist_ptr, n_reads, n_codes, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n_reads
    code = tl.load(code_ptr + i, mask=ok, other=0)
    ones = tl.full((BLOCK,), 1, dtype=tl.int32)
    tl.atomic_add(hist_ptr + code, ones, mask=ok)


def codon_usage(codes):
    hist = torch.zeros(64, dtype=torch.int32, device=codes.device)
    n = codes.numel()
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    count_kernel[grid](codes, hist, n, 64, BLOCK=1024)
    return hist
