"""Which tensors hold the outputs of a call."""

from __future__ import annotations

import torch

from ..tensors import NAMES

#: What is used after the candidate's code has run is fetched before it can put anything else in its place.
_data_ptr = torch.Tensor.data_ptr
_contiguous = torch.Tensor.contiguous


class NoOutputs(Exception):
    """Why what the entry returned is not what its spec says."""


def find_outputs(
    wanted: list[dict], returned: list[torch.Tensor], passed: list[torch.Tensor]
) -> list[torch.Tensor]:
    """For each output of the spec its tensor. `wanted`: name, dtype, shape, and which of `passed` it is (-1: none).
    The entry returns all outputs in order, or those that it is not handed. Raises NoOutputs.
    """
    everything = len(returned) == len(wanted)
    made = [each for each in wanted if everything or each["passed"] < 0]
    given = returned if everything else _further(returned, passed)
    if given and len(given) != len(made):
        raise NoOutputs("the entry returned %d tensors, the spec has %d outputs" % (len(given), len(wanted)))
    found = []
    for output in wanted:
        if given and output in made:
            tensor = given[made.index(output)]
        elif output["passed"] >= 0:
            tensor = passed[output["passed"]]
        else:
            raise NoOutputs(
                "the entry returned nothing, and the output %s is no argument that it could have filled"
                % output["name"]
            )
        _check(output, tensor)
        found.append(tensor)
    return found


def memory_of(tensor: torch.Tensor) -> tuple[torch.Tensor, int, int]:
    """A tensor's elements, row by row, as a tensor that holds them; its address and its bytes."""
    whole = _contiguous(tensor.detach())
    return whole, _data_ptr(whole), whole.numel() * whole.element_size()


def _further(returned: list[torch.Tensor], passed: list[torch.Tensor]) -> list[torch.Tensor]:
    """An argument that is handed back is no further output."""
    handed = {_data_ptr(each) for each in passed if each.numel() > 0}
    return [each for each in returned if _data_ptr(each) not in handed]


def _check(output: dict, tensor: torch.Tensor) -> None:
    name = output["name"]
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        raise NoOutputs("the output %s is %s where a tensor was expected" % (name, type(tensor).__name__))
    if tensor.device.type != "cuda":
        raise NoOutputs("the output %s lies on the device %s, not on the GPU" % (name, tensor.device))
    if NAMES.get(tensor.dtype) != output["dtype"]:
        raise NoOutputs(
            "the output %s has dtype %s, the spec says %s" % (name, tensor.dtype, output["dtype"])
        )
    if list(tensor.shape) != output["shape"]:
        raise NoOutputs(
            "the output %s has the shape %s, the spec says %s" % (name, list(tensor.shape), output["shape"])
        )
