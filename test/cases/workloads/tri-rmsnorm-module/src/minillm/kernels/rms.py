import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, w_ptr, out_ptr, stride, dim, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offs = tl.arange(0, BLOCK)
    keep = offs < dim
    x = tl.load(x_ptr + row * stride + offs, mask=keep, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + offs, mask=keep, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, 0) / dim + eps)
    tl.store(out_ptr + row * stride + offs, (x * scale * w).to(out_ptr.dtype.element_ty), mask=keep)
