"""Compares the Triton kernels of the corpus with torch. `kernelwright run triton_all.py -- [FOLDER …]`."""
import importlib
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

ROOT = Path(__file__).resolve().parent.parent / "workloads"
D = "cpu"  # on the virtual GPU tensors lie in main memory
close = torch.testing.assert_close


def load(folder, module, below=""):
    sys.path.insert(0, str(ROOT / folder / below))
    return importlib.import_module(module)


def add():
    m = load("tri-add-wrapper", "add")
    x, y = torch.rand(3000, device=D), torch.rand(3000, device=D)
    close(m.add(x, y), x + y)


def softmax():
    m = load("tri-softmax-class", "ops")
    x = torch.randn(2, 3, 257, device=D)
    close(m.softmax(x), torch.softmax(x, -1))
    close(m.log_softmax(x), torch.log_softmax(x, -1))


def layernorm():
    m = load("tri-layernorm-autograd", "layer_norm")
    x, w, b = torch.randn(6, 100), torch.randn(100), torch.randn(100)
    g = torch.randn(6, 100)
    mine = [t.to(D).detach().requires_grad_() for t in (x, w, b)]
    want = [t.clone().requires_grad_() for t in (x, w, b)]
    y = m.layer_norm(*mine, 1e-5)
    z = F.layer_norm(want[0], (100,), want[1], want[2], 1e-5)
    close(y.cpu(), z, rtol=1e-4, atol=1e-5)
    y.backward(g.to(D))
    z.backward(g)
    for a, c in zip(mine, want):
        close(a.grad.cpu(), c.grad, rtol=1e-3, atol=1e-4)


def rmsnorm():
    m = load("tri-rmsnorm-module", "minillm.layers.norm", "src")
    layer = m.RMSNorm(100).to(D)
    x = torch.randn(2, 3, 100, device=D)
    close(layer(x), x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + layer.eps), rtol=1e-4, atol=1e-5)


def cross_entropy():
    m = load("tri-cross-entropy", "cross_entropy")
    for s in (0.0, 0.1):
        x = torch.randn(9, 300)
        y = torch.randint(0, 300, (9,))
        y[2] = -100
        x0 = x.clone().requires_grad_()
        each = F.cross_entropy(x0, y, reduction="none", label_smoothing=s)
        each.sum().backward()
        loss, grad = m.cross_entropy(x.to(D), y.to(D), smoothing=s)
        close(loss.cpu(), each.sum().detach() / 8, rtol=1e-4, atol=1e-5)
        close(grad.cpu(), x0.grad, rtol=1e-3, atol=1e-5)


def rope():
    m = load("tri-rope", "rotary")
    q, k = torch.randn(2, 5, 3, 16), torch.randn(2, 5, 1, 16)
    a = torch.outer(torch.arange(5.0), 10000 ** (-torch.arange(8.0) / 8))
    c, s = a.cos(), a.sin()

    def want(t):
        lo, hi = t[..., :8], t[..., 8:]
        cc, ss = c[None, :, None], s[None, :, None]
        return torch.cat([lo * cc - hi * ss, hi * cc + lo * ss], -1)

    gq, gk = m.apply_rotary(q.clone().to(D), k.clone().to(D), c.to(D), s.to(D))
    close(gq.cpu(), want(q))
    close(gk.cpu(), want(k))


def embedding():
    m = load("tri-embedding-grad", "embedding")
    e = m.Embedding(20, 24).to(D)
    ids = torch.randint(0, 20, (3, 7))
    out = e(ids.to(D))
    w = e.weight.detach().cpu().requires_grad_()
    want = F.embedding(ids, w)
    close(out.cpu(), want)
    g = torch.randn(3, 7, 24)
    out.backward(g.to(D))
    want.backward(g)
    close(e.weight.grad.cpu(), w.grad)


def swiglu():
    m = load("tri-swiglu-package", "fused.swiglu", "src")
    a, b = torch.randn(2, 3, 100, device=D), torch.randn(2, 3, 100, device=D)
    close(m.swiglu(a, b), F.silu(a) * b, rtol=1e-4, atol=1e-5)


def quantize():
    m = load("tri-quantize-int8", "quant")
    x = torch.randn(5, 300)
    q, s = m.quantize(x.to(D))
    assert ((m.dequantize(q.cpu(), s.cpu()) - x).abs() <= s.cpu() * 0.51).all()


def w4():
    m = load("tri-w4-linear", "w4")
    layer = m.W4Linear(64, 40)
    w = torch.stack([(layer.qweight >> (4 * i)) & 15 for i in range(8)], 1).reshape(64, 40)
    w = (w.float() - 8) * layer.scales.float().repeat_interleave(32, 0)
    for rows in (16, 19):
        x = torch.randn(rows, 64).half()
        close(layer.to(D)(x.to(D)).cpu().float(), x.float() @ w, rtol=2e-2, atol=2e-2)


def conv():
    m = load("tri-causal-conv1d", "conv")
    x, w, b = torch.randn(2, 50, 20), torch.randn(20, 4), torch.randn(20)
    want = F.silu(F.conv1d(F.pad(x.transpose(1, 2), (3, 0)), w[:, None], b, groups=20)).transpose(1, 2)
    close(m.causal_conv1d(x.to(D), w.to(D), b.to(D)).cpu(), want, rtol=1e-4, atol=1e-5)


def cumsum():
    m = load("tri-cumsum", "scan_ops")
    x = torch.rand(4, 100) + 0.5
    close(m.cumsum(x.to(D)).cpu(), x.cumsum(1), rtol=1e-4, atol=1e-4)
    close(m.cumprod(x.to(D)).cpu(), x.cumprod(1), rtol=1e-3, atol=1e-4)


def argmax():
    m = load("tri-argmax", "argmax")
    x = torch.randn(5000)
    assert m.argmax(x.to(D)).item() == x.argmax().item()


def bmm():
    m = load("tri-bmm-heuristics", "bmm")
    for k in (32, 40):
        a, b = torch.randn(3, 20, k), torch.randn(3, k, 35)
        close(m.bmm(a.to(D), b.to(D)).cpu(), a @ b, rtol=1e-4, atol=1e-4)


def kl():
    m = load("tri-kldiv-bench", "kl")
    p, t = torch.randn(7, 600).log_softmax(-1), torch.randn(7, 600).softmax(-1)
    close(m.KLDiv()(p, t).cpu(), F.kl_div(p.cpu(), t.cpu(), reduction="batchmean"), rtol=1e-4, atol=1e-5)


def block():
    m = load("tri-norm-residual-multi", "block")
    x, r, g, b = torch.randn(9, 100), torch.randn(9, 100), torch.randn(100), torch.randn(100)
    y, total = m.add_layer_norm(x.to(D), r.to(D), g.to(D), b.to(D))
    close(total.cpu(), x + r)
    close(y.cpu().float(), F.layer_norm(x + r, (100,), g, b), rtol=1e-2, atol=1e-2)


def segments():
    m = load("tri-segment-sum", "segments")
    v = torch.randn(50, 40)
    o = torch.tensor([0, 3, 3, 20, 50], dtype=torch.int32)
    want = torch.stack([v[a:b].sum(0) for a, b in zip(o[:-1], o[1:])])
    close(m.segment_sum(v.to(D), o.to(D)).cpu(), want, rtol=1e-4, atol=1e-4)


def leaky():
    m = load("tri-leaky-inplace", "leaky")
    x = torch.randn(1000)
    d = x.clone().to(D)
    m.leaky_relu_[(4,)](d, 0.1, 1000, CHUNK=256)
    close(d.cpu(), F.leaky_relu(x, 0.1))


def iou():
    m = load("tri-box-iou", "iou")
    a = torch.rand(20, 4)
    a[:, 2:] += a[:, :2] + 0.1
    got = m.BoxOps.self_iou(a.to(D)).cpu()
    lo, hi = torch.maximum(a[:, None, :2], a[None, :, :2]), torch.minimum(a[:, None, 2:], a[None, :, 2:])
    inter = (hi - lo).clamp(min=0).prod(-1)
    area = (a[:, 2:] - a[:, :2]).prod(-1)
    close(got, inter / (area[:, None] + area - inter))


def transpose():
    m = load("tri-transpose-pytest", "kernels.transpose")
    x = torch.randn(33, 70, device=D)
    y = torch.empty(70, 33, device=D)
    m.transpose_kernel[(3, 2)](x, y, 33, 70, TILE=32)
    assert torch.equal(y.cpu(), x.cpu().T)


def dropout():
    m = load("tri-dropout-seeded", "dropout")
    x = torch.ones(20000)
    y, z = (m.seeded_dropout(x.to(D), 0.25, 5).cpu() for _ in range(2))
    assert torch.equal(y, z) and abs((y == 0).float().mean() - 0.25) < 0.02
    close(y[y != 0], torch.full_like(y[y != 0], 1 / 0.75))


def matmul():
    m = load("tri-matmul-autotune", "matmul")
    a, b = torch.randn(70, 40).half(), torch.randn(40, 90).half()
    close(m.matmul(a.to(D), b.to(D), "relu").cpu().float(), (a.float() @ b.float()).relu(), rtol=1e-2, atol=2e-2)


def attention():
    m = load("tri-flash-attention", "flash_attn")
    for causal in (False, True):
        q, k, v = (torch.randn(2, 2, 70, 32).half() for _ in range(3))
        want = F.scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=causal)
        close(m.attention(q, k, v, causal)[0].float(), want, rtol=1e-2, atol=2e-2)


torch.manual_seed(0)
CHECKS = [add, softmax, layernorm, rmsnorm, cross_entropy, rope, embedding, swiglu, quantize, w4, conv, cumsum, argmax,
          bmm, kl, block, segments, leaky, iou, transpose, dropout, matmul, attention]
failed = 0
for check in CHECKS:
    if sys.argv[1:] and check.__name__ not in sys.argv[1:]:
        continue
    try:
        check()
        print("ok", check.__name__, flush=True)
    except Exception as error:
        failed += 1
        print("FAILED", check.__name__, type(error).__name__, str(error)[:600], flush=True)
sys.exit(failed)
