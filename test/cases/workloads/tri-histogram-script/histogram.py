# run me:  python histogram.py
import torch
import triton
import triton.language as tl

N = 20_000
BINS = 64
dev = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def hist(data, out, n, bins: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(data + i, mask=i < n, other=0)
    tl.atomic_add(out + v, 1, mask=i < n)


g = torch.Generator().manual_seed(3)
data = torch.randint(0, BINS, (N,), dtype=torch.int32, generator=g).to(dev)
out = torch.zeros(BINS, dtype=torch.int32, device=dev)
hist[(triton.cdiv(N, 1024),)](data, out, N, bins=BINS, B=1024)
want = torch.bincount(data.cpu(), minlength=BINS)
print("same:", bool((out.cpu() == want).all()))
assert (out.cpu() == want).all()
