#@case {"kernel": "distances", "launches": [{"blocks": 6, "threadsPerBlock": 128}]}
import torch
import triton
import triton.language as tl


@triton.jit
def distances(left, right, out, pairs, width, SPAN: tl.constexpr):
    mine = tl.program_id(axis=0)
    all_of_them = tl.num_programs(axis=0)
    lane = tl.arange(0, SPAN)
    inside = lane < width
    for pair in tl.range(mine, pairs, all_of_them):
        a = tl.load(left + pair * width + lane, mask=inside, other=0.0)
        b = tl.load(right + pair * width + lane, mask=inside, other=0.0)  #@ instructions=4096
        tl.store(out + pair, tl.sqrt(tl.sum((a - b) * (a - b), axis=0)))


class Distances:
    programs = 6

    def __call__(self, left, right):
        out = torch.empty(left.shape[0], device=left.device)
        grid = (min(left.shape[0], self.programs),)
        distances[grid](left, right, out, left.shape[0], left.shape[1], SPAN=256)
        return out
