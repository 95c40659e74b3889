#@case {"kernel":"_rotor_kernel","gaps":600,"spec":{"inputs":{"q":{"dtype":"float16","shape":["n","h","d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def _rotor_kernel(Q, C, S, Out, n_tok, n_head, half: tl.constexpr, HB: tl.constexpr):
    tok = tl.program_id(0)
    head = tl.program_id(1)
    lane = tl.arange(0, HB)
    ok = lane < half
    base = (tok * n_head + head) * half * 2
    a = tl.load(Q + base + lane, mask=ok, other=0.0).to(tl.float32)  #@ globalLoadRequests=400
    b = tl.load(Q + base + half + lane, mask=ok, other=0.0).to(tl.float32)
    c = tl.load(C + tok * half + lane, mask=ok, other=0.0)
    s = tl.load(S + tok * half + lane, mask=ok, other=0.0)
    tl.store(Out + base + lane, (a * c - b * s).to(Out.dtype.element_ty), mask=ok)
    tl.store(Out + base + half + lane, (a * s + b * c).to(Out.dtype.element_ty), mask=ok)


class Rotor(torch.nn.Module):
    def __init__(self, head_dim=128, theta=10000.0):
        super().__init__()
        self.head_dim = head_dim
        self.theta = theta

    def forward(self, q):
        n_tok, n_head, d = q.shape
        half = d // 2
        inv = 1.0 / (self.theta ** (torch.arange(0, half, device=q.device, dtype=torch.float32) / half))
        pos = torch.arange(n_tok, device=q.device, dtype=torch.float32)
        ang = torch.outer(pos, inv)
        cos, sin = ang.cos(), ang.sin()
        out = torch.empty_like(q)
        _rotor_kernel[(n_tok, n_head)](q, cos, sin, out, n_tok, n_head, half, triton.next_power_of_2(half))
        return out
