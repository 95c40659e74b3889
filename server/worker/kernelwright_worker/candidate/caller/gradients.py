"""Which inputs a backward pass would give gradients to."""

from __future__ import annotations

import torch

from ..calling import flat


def ask(tensors: list[torch.Tensor], params: dict) -> None:
    """Has the tensors of real numbers require gradients where a run asks for that."""
    for tensor in tensors if params.get("gradients") else []:
        if tensor.is_floating_point():
            tensor.requires_grad_(True)


def reached(returned: object, tensors: list[torch.Tensor]) -> dict[str, str]:
    """Places of the tensors that the graph of a call's results leads to, as `gradients-of`; where a function of the
    program's own (torch.autograd.Function) has a part in it, as `own-gradients-of` as well. Empty without a graph.
    """
    left = [each.grad_fn for each in flat(returned) if each.grad_fn is not None]
    seen, found, is_own = set(), set(), False
    while left:
        node = left.pop()
        if node in seen:
            continue
        seen.add(node)
        is_own = is_own or hasattr(node, "_forward_cls")
        leaf = getattr(node, "variable", None)
        found.update(place for place, tensor in enumerate(tensors) if tensor is leaf)
        left.extend(each for each, _ in node.next_functions if each is not None)
    if not found:
        return {}
    places = ",".join(map(str, sorted(found)))
    return {"gradients-of": places, **({"own-gradients-of": places} if is_own else {})}
