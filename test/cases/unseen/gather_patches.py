import torch
import triton
import triton.language as tl


@triton.jit
def im2col_kernel(img, col, total, H, W, OH, OW, K, BLOCK: tl.constexpr):
    idx = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    live = idx < total
    ow = idx % OW
    oh = (idx // OW) % OH
    kw = (idx // (OW * OH)) % K
    kh = (idx // (OW * OH * K)) % K
    c = idx // (OW * OH * K * K)
    src = (c * H + oh + kh) * W + ow + kw
    tl.store(col + idx, tl.load(img + src, mask=live), mask=live)


def im2col(x, k):
    c, h, w = x.shape
    oh, ow = h - k + 1, w - k + 1
    col = torch.empty((c, k, k, oh, ow), device=x.device, dtype=x.dtype)
    total = col.numel()
    im2col_kernel[(triton.cdiv(total, 1024),)](x, col, total, h, w, oh, ow, k, BLOCK=1024)
    return col
