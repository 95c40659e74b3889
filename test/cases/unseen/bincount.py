import torch, triton
import triton.language as tl

@triton.jit
def bincount_kernel(lab_ptr, cnt_ptr, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    lab = tl.load(lab_ptr + o, mask=o < n, other=0)
    tl.atomic_add(cnt_ptr + lab, 1, mask=o < n)

def bincount(labels):
    counts = torch.zeros(10, dtype=torch.int32, device=labels.device)
    n = labels.shape[0]
    bincount_kernel[(triton.cdiv(n, 512),)](labels, counts, n, B=512)
    return counts
