#@case {"kernel": "packed"}
import torch
import triton
import triton.language as tl


@triton.jit
def packed(flags, words, BITS: tl.constexpr):
    word = tl.program_id(0)
    bit = tl.arange(0, BITS)
    flag = tl.load(flags + word * BITS + bit)  #@ globalLoadRequests=4096 globalBytesRequested=131072
    tl.store(words + word, tl.sum(flag.to(tl.int32) << bit, axis=0))


def run(flags):
    count = flags.numel() // 32
    words = torch.empty(count, dtype=torch.int32, device=flags.device)
    packed[(count,)](flags, words, BITS=32)
    return words
