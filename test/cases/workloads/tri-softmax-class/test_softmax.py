import pytest
import torch

from ops import log_softmax, softmax


@pytest.mark.parametrize("shape", [(4, 100), (2, 3, 257)])
def test_against_torch(shape):
    x = torch.randn(*shape, device="cuda")
    torch.testing.assert_close(softmax(x), torch.softmax(x, -1))
    torch.testing.assert_close(log_softmax(x), torch.log_softmax(x, -1))
