#@case {"kernel": "average", "spec": {"run": {"kind": "entry", "entry": {"call": "case.py::embedding_mean", "arguments": ["ids", "weight"]}}, "inputs": {"ids": {"dtype": "int64", "shape": ["n", "l"]}, "weight": {"dtype": "float32", "shape": ["v", "d"]}}}}
import torch
import triton
import triton.language as tl


@triton.jit
def lookup(ids, weight, picked, dim, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    inside = cols < dim
    word = tl.load(ids + token)
    row = tl.load(weight + word * dim + cols, mask=inside, other=0.0)
    tl.store(picked + token * dim + cols, row, mask=inside)


@triton.jit
def average(picked, out, length, dim, BLOCK: tl.constexpr):
    sentence = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    base = picked + sentence * length * dim
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for t in range(0, length):
        acc += tl.load(base + t * dim + d, mask=d < dim, other=0.0)
    tl.store(out + sentence * dim + d, acc / length, mask=d < dim)  #@ globalStoreRequests=512


def embedding_mean(ids, weight):
    sentences, length = ids.shape
    vocabulary, dim = weight.shape
    picked = torch.empty(sentences * length, dim, device=weight.device, dtype=weight.dtype)
    lookup[(sentences * length,)](ids, weight, picked, dim, BLOCK=triton.next_power_of_2(dim))
    out = torch.empty(sentences, dim, device=weight.device, dtype=weight.dtype)
    average[(sentences,)](picked, out, length, dim, BLOCK=triton.next_power_of_2(dim))
    return out
