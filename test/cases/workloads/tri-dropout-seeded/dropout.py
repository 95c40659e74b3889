import torch, triton
import triton.language as tl

@triton.jit
def _seeded_dropout(x_ptr, out_ptr, n, p, seed, B: tl.constexpr):
  off = tl.program_id(0)*B + tl.arange(0, B)
  m = off < n
  x = tl.load(x_ptr + off, mask=m)
  keep = tl.rand(seed, off) > p
  tl.store(out_ptr + off, tl.where(keep, x/(1-p), 0.0), mask=m)

def seeded_dropout(x, p, seed):
  out = torch.empty_like(x)
  assert x.is_contiguous()
  n = x.numel()
  _seeded_dropout[lambda meta: (triton.cdiv(n, meta['B']),)](x, out, n, p, seed, B=512)
  return out
