#@case {"kernel": "energy"}
import torch
import triton
import triton.language as tl

@triton.jit
def energy(x, out, n, SIZE: tl.constexpr):
  row = tl.program_id(0)
  at = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
  v = tl.load(x + row * n + at, mask=at < n, other=0.0)  #@ globalLoadRequests=2048 globalBytesRequested=262144
  tl.atomic_add(out + row, tl.sum(v * v))

def run(x):
  rows, n = x.shape
  out = torch.zeros(rows, device=x.device)
  energy[lambda meta: (rows, triton.cdiv(n, meta["SIZE"]))](x, out, n, SIZE=128)
  return out
