import sys
from pathlib import Path

import pytest
import torch
import triton

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from kernels.transpose import transpose_kernel  # noqa: E402

DEVICE = "cuda"


@pytest.fixture(params=[(64, 64), (33, 70)], ids=str)
def matrix(request):
    torch.manual_seed(5)
    return torch.randn(request.param, device=DEVICE)


@pytest.mark.parametrize("tile", [16, 32])
def test_transpose(matrix, tile):
    rows, cols = matrix.shape
    out = torch.empty(cols, rows, device=DEVICE)
    transpose_kernel[(triton.cdiv(cols, tile), triton.cdiv(rows, tile))](matrix, out, rows, cols, TILE=tile)
    assert torch.equal(out, matrix.T)
