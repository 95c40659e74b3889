import torch
import triton
import triton.language as tl


@triton.jit
def ce_kernel(logits_ptr, labels_ptr, loss_ptr, logits_stride, V, ignore_index, smoothing, BLOCK_V: tl.constexpr):
    """Online log-sum-exp over the vocabulary; overwrites the logits with their gradient."""
    row = tl.program_id(0)
    logits_ptr += row * logits_stride
    y = tl.load(labels_ptr + row)
    if y == ignore_index:
        for i in range(0, V, BLOCK_V):
            o = i + tl.arange(0, BLOCK_V)
            tl.store(logits_ptr + o, 0.0, mask=o < V)
        tl.store(loss_ptr + row, 0.0)
        return

    m = float("-inf")
    d = 0.0
    total = 0.0
    target = tl.load(logits_ptr + y)
    for i in range(0, V, BLOCK_V):
        o = i + tl.arange(0, BLOCK_V)
        x = tl.load(logits_ptr + o, mask=o < V, other=float("-inf"))
        total += tl.sum(tl.where(o < V, x, 0.0))
        m_new = tl.maximum(m, tl.max(x))
        d = d * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new))
        m = m_new
    lse = m + tl.log(d)
    loss = lse - (1 - smoothing) * target - smoothing * total / V
    tl.store(loss_ptr + row, loss)
    for i in range(0, V, BLOCK_V):
        o = i + tl.arange(0, BLOCK_V)
        x = tl.load(logits_ptr + o, mask=o < V, other=float("-inf"))
        g = tl.exp(x - lse) - smoothing / V - tl.where(o == y, 1 - smoothing, 0.0)
        tl.store(logits_ptr + o, g, mask=o < V)


def cross_entropy(logits: torch.Tensor, labels: torch.Tensor, ignore_index: int = -100, smoothing: float = 0.0):
    n, v = logits.shape
    loss = torch.zeros(n, dtype=torch.float32, device=logits.device)
    ce_kernel[(n,)](logits, labels, loss, logits.stride(0), v, ignore_index, smoothing, BLOCK_V=256)
    return loss.sum() / (labels != ignore_index).sum(), logits
