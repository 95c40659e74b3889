#@case {"kernel": "dose"}
import torch
import triton
import triton.language as tl


@triton.jit
def dose(beam, weight, total, beams, n, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    b = 0
    while b < beams:
        v = pid * BLOCK + tl.arange(0, BLOCK)
        where = total + v
        before = tl.load(where, v < n, other=0.0)  #@ globalLoadRequests=1000
        before += tl.load(weight + b) * tl.load(beam + b * n + v, mask=v < n)  #@ globalLoadRequests=2000
        tl.store(where, before, v < n)  #@ globalStoreRequests=1000
        b += 1


def run(beam, weight):
    total = torch.zeros(beam.shape[1], dtype=torch.float16)
    dose[(8,)](beam, weight, total, beam.shape[0], beam.shape[1], BLOCK=256)
    return total
