import torch
import triton
import triton.language as tl


@triton.jit
def unpack_bits_kernel(words, out, bits, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    places = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = places < bits
    word = tl.load(words + row * stride + places // 32, mask=inside, other=0)
    tl.store(out + row * bits + places, (word >> (places % 32)) & 1, mask=inside)


def unpack_bits(words, bits):
    rows, stride = words.shape
    if words.dtype != torch.int32 or stride != (bits + 31) // 32:
        raise ValueError("a row has 32 bits in each word")
    out = torch.empty((rows, bits), dtype=torch.int32, device=words.device)
    unpack_bits_kernel[(rows, triton.cdiv(bits, 256))](words, out, bits, stride, BLOCK=256)
    return out
