import torch
import triton
import triton.language as tl

LONGEST = 4096


@triton.jit
def beam_scores_kernel(logits, penalty, out, n_tokens, scale, BLOCK: tl.constexpr):
    beam = tl.program_id(0)
    token = tl.arange(0, BLOCK)
    exists = token < n_tokens
    score = tl.load(logits + beam * n_tokens + token, mask=exists, other=float("-inf")) * scale
    score -= tl.load(penalty + token, mask=exists, other=0.0)
    score -= tl.max(score, axis=0)
    score -= tl.log(tl.sum(tl.exp(score), axis=0))
    tl.store(out + beam * n_tokens + token, score, mask=exists)


def beam_scores(logits, penalty):
    beams, n_tokens = logits.shape
    out = torch.empty_like(logits)
    beam_scores_kernel[(beams,)](logits, penalty, out, n_tokens, 0.7, BLOCK=LONGEST, num_warps=8)
    return out
