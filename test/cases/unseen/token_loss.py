import torch
import triton
import triton.language as tl

MAX_FUSED_SIZE = 256


@triton.jit
def token_loss_kernel(
    X_ptr,
    X_stride,
    Y_ptr,
    loss_ptr,
    n_cols,
    ignore_index,
    BLOCK_SIZE: tl.constexpr,
):
    program_id = tl.program_id(0).to(tl.int64)
    y = tl.load(Y_ptr + program_id)
    X_ptr += program_id * X_stride
    if y == ignore_index:
        tl.store(loss_ptr + program_id, 0.0)
        return
    ori_X_y = tl.load(X_ptr + y).to(tl.float32)

    m = float("-inf")
    for i in range(0, n_cols, BLOCK_SIZE):
        X_offsets = i + tl.arange(0, BLOCK_SIZE)
        X_block = tl.load(X_ptr + X_offsets, mask=X_offsets < n_cols, other=float("-inf")).to(tl.float32)
        m = tl.maximum(m, tl.max(X_block))

    d = 0.0
    for i in range(0, n_cols, BLOCK_SIZE):
        X_offsets = i + tl.arange(0, BLOCK_SIZE)
        X_block = tl.load(X_ptr + X_offsets, mask=X_offsets < n_cols, other=float("-inf")).to(tl.float32)
        d += tl.sum(tl.exp(X_block - m))

    tl.store(loss_ptr + program_id, m + tl.log(d) - ori_X_y)


def token_loss_forward(_input, target, ignore_index):
    BT, V = _input.shape
    BLOCK_SIZE = min(MAX_FUSED_SIZE, triton.next_power_of_2(V))
    loss_1d = torch.zeros(BT, dtype=torch.float32, device=_input.device)
    token_loss_kernel[(BT,)](
        X_ptr=_input,
        X_stride=_input.stride(-2),
        Y_ptr=target,
        loss_ptr=loss_1d,
        n_cols=V,
        ignore_index=ignore_index,
        BLOCK_SIZE=BLOCK_SIZE,
        num_warps=8,
    )
    return loss_1d


class TokenLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, _input, target, ignore_index=-100):
        return token_loss_forward(_input, target, ignore_index)


def token_loss(logits, target):
    return TokenLoss.apply(logits, target)
