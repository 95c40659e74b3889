"""Prioritised replay for the value head: weighted Huber loss of the TD error, and new priorities."""
import torch
import triton
import triton.language as tl


@triton.jit
def td_error_kernel(reward_ptr, value_ptr, next_ptr, done_ptr, delta_ptr, gamma, n, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = idx < n
    reward = tl.load(reward_ptr + idx, mask=mask)
    value = tl.load(value_ptr + idx, mask=mask)
    nxt = tl.load(next_ptr + idx, mask=mask)
    done = tl.load(done_ptr + idx, mask=mask)
    tl.store(delta_ptr + idx, reward + gamma * nxt * (1.0 - done) - value, mask=mask)


@triton.jit
def huber_kernel(delta_ptr, loss_ptr, kappa, n, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = idx < n
    delta = tl.load(delta_ptr + idx, mask=mask)
    a = tl.abs(delta)
    loss = tl.where(a <= kappa, 0.5 * delta * delta, kappa * (a - 0.5 * kappa))
    tl.store(loss_ptr + idx, loss, mask=mask)


@triton.jit
def weight_kernel(loss_ptr, delta_ptr, is_weight_ptr, priority_ptr, eps, n, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = idx < n
    loss = tl.load(loss_ptr + idx, mask=mask)
    delta = tl.load(delta_ptr + idx, mask=mask)
    w = tl.load(is_weight_ptr + idx, mask=mask)
    tl.store(loss_ptr + idx, loss * w, mask=mask)
    tl.store(priority_ptr + idx, tl.abs(delta) + eps, mask=mask)


def td_loss(reward, value, next_value, done, is_weight, gamma, kappa):
    n = reward.numel()
    delta = torch.empty_like(reward)
    loss = torch.empty_like(reward)
    priority = torch.empty_like(reward)
    grid = (triton.cdiv(n, 1024),)
    td_error_kernel[grid](reward, value, next_value, done, delta, gamma, n, BLOCK=1024)
    huber_kernel[grid](delta, loss, kappa, n, BLOCK=1024)
    weight_kernel[grid](loss, delta, is_weight, priority, 1e-3, n, BLOCK=1024)
    return loss, priority
