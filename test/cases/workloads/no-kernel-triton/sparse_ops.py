import torch


def segment_mean(values: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Mean of each run of rows: values [total, dim], lengths [segments], their sum is total.

    TODO: this loop is slow, write it in Triton
    """
    out = torch.zeros(len(lengths), values.shape[1], device=values.device, dtype=values.dtype)
    start = 0
    for i, n in enumerate(lengths.tolist()):
        if n:
            out[i] = values[start : start + n].mean(0)
        start += n
    return out
