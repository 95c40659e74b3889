#@case {"kernel": "parts"}
import torch
import triton
import triton.language as tl

@triton.jit
def parts(x, out, n, SIZE: tl.constexpr):
  part = tl.program_id(0)
  at = part * SIZE + tl.arange(0, SIZE)
  v = tl.load(x + at, mask=at < n, other=0.0)  #@ globalLoadRequests=2048 globalBytesRequested=262144
  tl.atomic_add(out + part, tl.sum(v))

def run(x, out):
  parts[lambda meta: (triton.cdiv(x.numel(), meta["SIZE"]),)](x, out, x.numel(), SIZE=128)
  return out
