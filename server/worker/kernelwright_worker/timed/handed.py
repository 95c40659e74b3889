"""What launches on a GPU are handed, for entries whose outputs are arguments of a kernel."""

from __future__ import annotations

from typing import Any

import torch
from triton.runtime.jit import JITFunction


def remember(seen: dict[tuple[str, str], torch.Tensor]) -> None:
    """From here on `seen` has the tensors of each kernel's last launch, by the names of kernel and parameter."""
    run = JITFunction.run

    def noted(function: Any, *given: Any, **named: Any) -> object:
        values = {**dict(zip(function.arg_names, given)), **named}
        for name in function.arg_names:
            if isinstance(values.get(name), torch.Tensor):
                seen[function.__name__, name] = values[name]
        return run(function, *given, **named)

    JITFunction.run = noted
