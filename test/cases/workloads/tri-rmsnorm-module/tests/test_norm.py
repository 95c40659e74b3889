import torch
from minillm.layers.norm import RMSNorm


def test_rms_norm():
    torch.manual_seed(1)
    layer = RMSNorm(384).to("cuda")
    torch.nn.init.normal_(layer.weight)
    x = torch.randn(3, 7, 384, device="cuda")
    want = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + layer.eps) * layer.weight
    torch.testing.assert_close(layer(x), want, rtol=1e-4, atol=1e-5)
