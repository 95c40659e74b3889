import torch
import triton
import triton.language as tl


@triton.jit
def _bag_mean(out, words, bag_offsets, vectors, width, pitch, SPAN: tl.constexpr):
    bag = tl.program_id(0)
    e = tl.program_id(1) * SPAN + tl.arange(0, SPAN)
    here = e < width
    at = tl.load(bag_offsets + bag)
    end = tl.load(bag_offsets + bag + 1)
    held = end - at
    total = tl.zeros([SPAN], tl.float32)
    while at < end:
        word = tl.load(words + at)
        total += tl.load(vectors + word * pitch + e, mask=here, other=0.0)
        at += 1
    tl.store(out + bag * width + e, total / tl.maximum(held, 1), mask=here)


def bag_means(words, bag_offsets, vectors):
    """The mean of the vectors of each bag's words; the bags lie one after the other."""
    assert words.dim() == 1 and bag_offsets.dim() == 1
    _, width = vectors.shape
    bags = bag_offsets.numel() - 1
    out = torch.empty(bags, width, dtype=torch.float32, device=words.device)
    _bag_mean[(bags, triton.cdiv(width, 32))](out, words, bag_offsets, vectors, width, vectors.stride(0), SPAN=32)
    return out
