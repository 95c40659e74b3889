import torch
import triton
import triton.language as tl
from torch import Tensor


# Contrastive pre-training: logits of all image-text pairs of a batch, text embeddings as rows too.
@triton.jit
def pair_logits_kernel(
    image_ptr, text_ptr, logits_ptr, scale_ptr,
    n_images, n_texts, width,
    image_stride, text_stride, logits_stride,
    BLOCK_I: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_W: tl.constexpr,
):
    offs_i = tl.program_id(1) * BLOCK_I + tl.arange(0, BLOCK_I)
    offs_t = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    offs_w = tl.arange(0, BLOCK_W)
    image_ptrs = image_ptr + offs_i[:, None] * image_stride + offs_w[None, :]
    text_ptrs = text_ptr + offs_t[None, :] * text_stride + offs_w[:, None]
    acc = tl.zeros([BLOCK_I, BLOCK_T], tl.float32)
    for w in tl.range(0, tl.cdiv(width, BLOCK_W)):
        left = width - w * BLOCK_W
        image = tl.load(image_ptrs, mask=(offs_i[:, None] < n_images) & (offs_w[None, :] < left), other=0.0)
        text = tl.load(text_ptrs, mask=(offs_t[None, :] < n_texts) & (offs_w[:, None] < left), other=0.0)
        acc = tl.dot(image.to(tl.float32), text.to(tl.float32), acc, input_precision="ieee")
        image_ptrs += BLOCK_W
        text_ptrs += BLOCK_W
    scale = tl.exp(tl.load(scale_ptr))
    keep = (offs_i[:, None] < n_images) & (offs_t[None, :] < n_texts)
    tl.store(logits_ptr + offs_i[:, None] * logits_stride + offs_t[None, :], acc * scale, mask=keep)


def pair_logits(image: Tensor, text: Tensor, log_scale: Tensor) -> Tensor:
    logits = torch.empty(image.size(0), text.size(0), dtype=torch.float32, device=image.device)
    grid = lambda meta: (triton.cdiv(text.size(0), meta["BLOCK_T"]), triton.cdiv(image.size(0), meta["BLOCK_I"]))
    pair_logits_kernel[grid](
        image, text, logits, log_scale,
        image.size(0), text.size(0), image.size(1),
        image.stride(0), text.stride(0), logits.stride(0),
        BLOCK_I=32, BLOCK_T=64, BLOCK_W=32, num_warps=4,
    )
    return logits
