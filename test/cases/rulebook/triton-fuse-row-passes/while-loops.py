#@case {"kernel": "log_softmax"}
import torch
import triton
import triton.language as tl


@triton.jit
def log_softmax(src, dst, stride, width, CHUNK: tl.constexpr):
    row = src + tl.program_id(0) * stride
    lanes = tl.arange(0, CHUNK)
    peak = tl.full((CHUNK,), float("-inf"), tl.float32)
    at = 0
    while at < width:
        peak = tl.maximum(peak, tl.load(row + at + lanes, at + lanes < width, float("-inf")))  #@ globalLoadSectors=4000
        at += CHUNK
    top = tl.max(peak)
    part = tl.zeros((CHUNK,), tl.float32)
    at = 0
    while at < width:
        v = tl.load(row + lanes + at, mask=at + lanes < width, other=float("-inf"))  #@ globalLoadSectors=4000
        part += tl.exp(v - top)
        at += CHUNK
    total = top + tl.log(tl.sum(part))
    at = 0
    while at < width:
        v = tl.load(row + at + lanes, mask=at + lanes < width, other=0.0)  #@ globalLoadSectors=4000
        tl.store(dst + tl.program_id(0) * stride + at + lanes, v - total, mask=at + lanes < width)
        at += CHUNK


def run(x):
    y = torch.empty_like(x)
    size = min(256, triton.next_power_of_2(x.shape[1]))
    log_softmax[(x.shape[0],)](x, y, x.stride(0), x.shape[1], CHUNK=size)
    return y
