import torch

from flash_attn import attention

torch.manual_seed(0)
for causal in (False, True):
    q, k, v = (torch.randn(2, 2, 70, 32, device="cuda", dtype=torch.float16) for _ in range(3))
    got, _ = attention(q, k, v, causal)
    want = torch.nn.functional.scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=causal)
    print(causal, (got.float() - want).abs().max().item())
    assert torch.allclose(got.float(), want, atol=2e-2)
