import torch, triton
import triton.language as tl

@triton.jit
def pack_words(src, dst, thresh, BITS: tl.constexpr):
    w = tl.program_id(axis=0)
    lane = tl.arange(0, BITS)
    v = tl.load(src + w * BITS + lane)
    bit = (v > thresh).to(tl.int32)
    tl.store(dst + w, tl.sum(bit << lane, axis=0))

def pack(src, thresh: float):
    words = src.numel() // 32
    dst = torch.empty(words, dtype=torch.int32, device=src.device)
    pack_words[(words,)](src, dst, thresh, BITS=32)
    return dst
