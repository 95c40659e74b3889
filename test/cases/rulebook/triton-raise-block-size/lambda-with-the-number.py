#@case {"kernel": "scale"}
import torch
import triton
import triton.language as tl

@triton.jit
def scale(x, y, n, factor, SIZE: tl.constexpr = 128):
  at = tl.program_id(0)*SIZE + tl.arange(0, SIZE)
  v = tl.load(x + at, mask=at<n)  #@ globalLoadRequests=2048 globalBytesRequested=262144
  tl.store(y + at, v * factor, mask=at<n)

def run(x, factor):
  y = torch.empty_like(x)
  grid = lambda meta: (triton.cdiv(x.numel(), 128),)
  scale[grid](x, y, x.numel(), factor, SIZE=128)
  return y
