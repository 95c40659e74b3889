"""Geology: elevation at scattered sites as a sum of Gaussian bumps around the surveyed boreholes."""
import torch
import triton
import triton.language as tl


@triton.jit
def rbf_kernel(site_x, site_y, hole_x, hole_y, weight, height, sites, holes, falloff, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < sites
    x = tl.load(site_x + at, mask=live, other=0.0)
    y = tl.load(site_y + at, mask=live, other=0.0)
    for hole in range(holes):
        dx = x - tl.load(hole_x + hole)
        dy = y - tl.load(hole_y + hole)
        bump = tl.load(weight + hole) * tl.exp(-(dx * dx + dy * dy) * falloff)
        so_far = tl.load(height + at, mask=live)
        tl.store(height + at, so_far + bump, mask=live)


def elevation(site_x, site_y, hole_x, hole_y, weight, falloff=2.0):
    height = torch.zeros_like(site_x)
    sites, holes = site_x.numel(), hole_x.numel()
    rbf_kernel[(triton.cdiv(sites, 256),)](
        site_x, site_y, hole_x, hole_y, weight, height, sites, holes, falloff, BLOCK=256
    )
    return height
