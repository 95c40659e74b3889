"""torch.utils.cpp_extension for the virtual GPU: what it compiles is linked with our runtime."""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch.utils.file_baton import FileBaton

from . import build_lock, toolkit
from .extension_launches import ExtensionLaunches
from .importing import change_when_imported

if TYPE_CHECKING:
    from ..script.driver import ScriptDriver

_MODULE = "torch.utils.cpp_extension"
#: Compiles torch's own way for what the virtual GPU runs.
_ARCHITECTURES = "8.0+PTX"


class Extensions:
    """Makes the toolkit when an extension first needs it, and has its runtime ask for tensors' memory."""

    def __init__(self, driver: ScriptDriver, capability: int) -> None:
        self._launches = ExtensionLaunches(driver.gpu, driver)
        self._capability = capability
        self._toolkit = None

    def toolkit(self) -> str | None:
        """Path of the toolkit, with its runtime loaded. Raises OSError, as torch does without a toolkit."""
        if self._toolkit is None:
            try:
                made = toolkit.made(self._capability)
            except toolkit.NoToolkit as error:
                raise OSError(str(error)) from None
            self._launches.register(toolkit.load(made))
            folders = [*toolkit.include_folders(), *filter(None, [os.environ.get("CPATH")])]
            os.environ["CPATH"] = os.pathsep.join(folders)
            os.environ.setdefault("TORCH_CUDA_ARCH_LIST", _ARCHITECTURES)
            self._toolkit = made
        return self._toolkit

    def load_made(self) -> None:
        """For extensions that an earlier program has compiled: their runtime asks for tensors' memory, too."""
        try:
            made = toolkit.made(self._capability, anew=False)
        except toolkit.NoToolkit:
            # Then no program has compiled any.
            return
        if made is not None:
            self._launches.register(toolkit.load(made))

    def change(self, module: types.ModuleType) -> None:
        """Puts the toolkit where `module`, torch.utils.cpp_extension, looks for NVIDIA's."""
        module.CUDA_HOME = _Later(self.toolkit)
        module._join_cuda_home = lambda *paths: os.path.join(self.toolkit(), *paths)
        flags, extension = module._prepare_ldflags, module.CUDAExtension

        @functools.wraps(flags)
        def prepare(*arguments: Any, **named: Any) -> list[str]:
            made = flags(*arguments, **named)
            return [*made, "-Wl,-rpath," + self._libraries()] if "-lcudart" in made else made

        @functools.wraps(extension)
        def describe(*arguments: Any, **named: Any) -> object:
            named["runtime_library_dirs"] = [*named.get("runtime_library_dirs", []), self._libraries()]
            return extension(*arguments, **named)

        module._prepare_ldflags, module.CUDAExtension = prepare, describe
        module.FileBaton = _TellingBaton

    def _libraries(self) -> str:
        return toolkit.libraries_of(self.toolkit())


class _TellingBaton(FileBaton):
    """The lock of a build. One that was ended leaves it behind, and torch then waits without a word and for
    ever. Ours go with their process.
    """

    def try_acquire(self) -> bool | None:
        self.fd = build_lock.take(self.lock_file_path)
        return self.fd is not None

    def wait(self) -> None:
        sys.stderr.write(
            "kernelwright: waiting for another build of this extension; if none is at work, delete the lock that "
            "it has left: rm %s\n" % self.lock_file_path
        )
        super().wait()


class _Later(os.PathLike):
    """A folder that is made when its path is asked for."""

    def __init__(self, path: Callable[[], str]) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return self._path()

    def __str__(self) -> str:
        return self._path()


def install(driver: ScriptDriver, capability: int) -> None:
    """Extensions that an earlier program has compiled find their runtime; others are compiled with it."""
    extensions = Extensions(driver, capability)
    extensions.load_made()
    change_when_imported(_MODULE, extensions.change)
