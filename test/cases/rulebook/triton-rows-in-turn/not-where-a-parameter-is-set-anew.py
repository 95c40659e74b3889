#@case {"kernel": "bias_grad", "launches": [{"blocks": 8192, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def bias_grad(dy, db, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    dy = dy + tl.program_id(0) * n
    tl.atomic_add(db + c, tl.load(dy + c, mask=c < n, other=0.0), mask=c < n)  #@ globalAtomicPasses=90000


def run(dy):
    db = torch.zeros(dy.shape[1], device=dy.device)
    bias_grad[(dy.shape[0],)](dy, db, dy.shape[1], BLOCK=256)
    return db
