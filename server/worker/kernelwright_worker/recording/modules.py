"""What torch modules of a program were made with, so that they can be made again."""

from __future__ import annotations

import types
import weakref

import torch

from .functions import class_expression
from .values import MOST_BYTES, Arguments, NotRecordable

#: Functions that take any number of arguments, or any names.
_OPEN = 0x0C


class MadeModules:
    """The arguments of the constructors that a program has called of its own torch modules."""

    def __init__(self) -> None:
        self._made: weakref.WeakKeyDictionary[torch.nn.Module, dict] = weakref.WeakKeyDictionary()

    def note(self, frame: types.FrameType) -> bool:
        """Whether a frame that begins is the constructor of a torch module; what it was handed is then known."""
        code = frame.f_code
        if code.co_name != "__init__" or code.co_argcount == 0:
            return False
        made = frame.f_locals.get(code.co_varnames[0])
        if not isinstance(made, torch.nn.Module):
            return False
        # Constructors of base classes are called by it with other arguments.
        if getattr(type(made).__init__, "__code__", None) is code and not code.co_flags & _OPEN:
            names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
            self._made[made] = {name: frame.f_locals.get(name) for name in names}
        return True

    def text(
        self, module: torch.nn.Module, file: types.ModuleType | None, arguments: Arguments
    ) -> str | None:
        """The expression that makes a module again, in the names of its file, with the parameters and buffers that it
        has now; None where that is not known. Raises NotRecordable.
        """
        given = self._made.get(module)
        head = class_expression(type(module), file)
        if given is None or head is None:
            return None
        state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        if sum(each.numel() * each.element_size() for each in state.values()) > MOST_BYTES:
            raise NotRecordable("the parameters are larger than what is recorded")
        texts = ["%s=%s" % (name, arguments.text(name, value)) for name, value in given.items()]
        made = "%s(%s)%s" % (head, ", ".join(texts), "" if module.training else ".eval()")
        values = ["%s=%s" % (_path(name), arguments.text(_path(name), each)) for name, each in state.items()]
        return "with_parameters(%s)" % ", ".join([made, *values]) if values else made


def _path(name: str) -> str:
    return name.replace(".", "__")
