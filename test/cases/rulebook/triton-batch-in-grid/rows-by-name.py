#@case {"kernel": "norm_row", "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 16, "sharedBytes": 0, "footprintBytes": 8192, "times": 8, "bound": {"gpu": "A100-40GB-SXM", "nanoseconds": 1000, "terms": {}}}]}
import torch
import triton
import triton.language as tl


@triton.jit
def norm_row(row_ptr, weight_ptr, out_ptr, n, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)  #@ instructions=900
    x = tl.load(row_ptr + at, mask=at < n, other=0.0)
    w = tl.load(weight_ptr + at, mask=at < n, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(out_ptr + at, x * scale * w, mask=at < n)


class Norm(torch.nn.Module):
    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        out = torch.empty_like(rows)
        for r in range(rows.shape[0]):
            row = rows[r]
            n = row.shape[0]
            norm_row[(1,)](row, self.weight, out[r], n, self.eps, BLOCK=triton.next_power_of_2(n))
        return out.view(x.shape)
