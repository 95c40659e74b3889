#@case {"kernel": "product", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::with_parameters(Layer(k, n), quantized=quantized)(x)", "arguments": []}}, "inputs": {"x": {"dtype": "float16", "shape": ["m", "k"]}, "quantized": {"dtype": "int8", "shape": ["n", "k"]}}, "outputs": {"y": {"dtype": "float16", "shape": ["n"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def product(x, w, y, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(0, k, BK):
        a = tl.load(x + i[:, None] * k + (at + d)[None, :])
        b = tl.load(w + j[None, :] * k + (at + d)[:, None])
        acc = tl.dot(a.to(tl.float32), b.to(tl.float32), acc)  #@ instructions=4000 tensorInstructions=400
    tl.store(y + i[:, None] * n + j[None, :], acc.to(tl.float16))


class Layer(torch.nn.Module):
    def __init__(self, k=64, n=64):
        super().__init__()
        self.register_buffer("quantized", torch.zeros(n, k, dtype=torch.int8))

    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        m, k = rows.shape
        n = self.quantized.shape[0]
        y = torch.empty((m, n), device=x.device, dtype=torch.float16)
        product[(m // 64, n // 64)](rows, self.quantized, y, m, n, k, BM=64, BN=64, BK=32)
        return y
