"""Runs a script as Python itself would run it, with the virtual GPU in Triton's place for a driver."""

from __future__ import annotations

import atexit
import importlib.util
import io
import os
import re
import sys
import time
import types
from typing import Any

from ..package_names import package_of
from ..quick_imports import keep_digest_of_triton, postpone_dynamo, without_collections
from ..torch_gpu.compiling import CACHE
from . import own_project

#: The variable that holds what to say when there is no torch or no Triton.
WITHOUT_TRITON = "KERNELWRIGHT_WITHOUT_TRITON"
_BUILD_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
_OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_NO_FP8 = re.compile(r"type fp8e4nv not supported in this architecture")
_NO_CUDA = re.compile(
    r"Torch not compiled with CUDA enabled|Found no NVIDIA driver|No CUDA GPUs are available|CUDA driver version is insufficient|cuda device",
    re.I,
)


def run_script(path: str, arguments: list[str]) -> int:
    """Runs the script at `path` as __main__. Gives its exit status; the exception of a script that calls
    sys.exit goes on to Python.
    """
    for package in ("torch", "triton"):
        if importlib.util.find_spec(package) is None:
            sys.stderr.write(
                "error: %s is not installed for %s. %s\n"
                % (package, sys.executable, os.environ.get(WITHOUT_TRITON, ""))
            )
            return 3
    with without_collections():
        without_gpu = _install()
    postpone_dynamo()
    keep_digest_of_triton(os.path.join(os.environ[CACHE], "triton-digests"))
    atexit.register(_settle)
    _record()
    folders = project_folders(path.split("::")[0])
    sys.path.extend([*folders, os.getcwd()])
    if folders:
        own_project.announce(folders[-1])
    if "::" in path:
        return _run_tests([path.removesuffix("::"), *arguments])
    sys.argv = [path, *arguments]
    # Where the worker's folder was.
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    full = os.path.abspath(path)
    main = types.ModuleType("__main__")
    main.__file__, main.__builtins__, main.__spec__ = full, __builtins__, None
    sys.modules["__main__"] = main
    try:
        with io.open_code(full) as file:
            source = file.read()
        package = own_project.package_of(full, source.decode("utf-8", "replace"))
        if package is not None:
            # As a module of its package, whose own files have no names of packages that are installed.
            main.__package__, sys.path[0] = package
        exec(compile(source, full, "exec", dont_inherit=True), main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        _report(error, without_gpu)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def project_folders(path: str) -> list[str]:
    """Where the packages of the project lie that a script belongs to, as `pip install -e` would add them: the
    nearest folder around it with a build file, and its `src`.
    """
    folder = os.path.dirname(os.path.realpath(path))
    while not any(os.path.isfile(os.path.join(folder, name)) for name in _BUILD_FILES):
        above = os.path.dirname(folder)
        if above == folder:
            return []
        folder = above
    inside = os.path.join(folder, "src")
    return [inside, folder] if os.path.isdir(inside) else [folder]


def _settle() -> None:
    """Lets torch's threads of backward passes put away what they hold: one that waits for Python when Python
    ends is ended in the midst of C++, and takes the process with it.
    """
    time.sleep(0.05)


def _install() -> str | None:
    """Puts the virtual GPU in place. Gives the reason why there are no tensors on `cuda`, or None."""
    # A torch for CUDA would put its tensors on a GPU of this machine, out of the virtual one's reach.
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    from ..torch_gpu import backend

    gpu, reason = None, None
    try:
        gpu = backend.load()
    except backend.Unavailable as error:
        reason = str(error)
    import triton
    from triton import knobs

    from . import benchmarks, torch_answers
    from .device import ADDRESS, Device
    from .driver import ScriptDriver

    driver = ScriptDriver(Device(os.environ[ADDRESS]), gpu)
    triton.runtime.driver.set_active(driver)
    # What reset_active goes back to.
    triton.runtime.driver._default = driver
    torch_answers.install(driver, benchmarks.install(driver))
    _tell_files_apart()
    if knobs.runtime.interpret:
        benchmarks.note(
            "TRITON_INTERPRET is set: kernels run in Triton's interpreter, not on the virtual GPU"
        )
    return reason


def _record() -> None:
    """Records the calls of host code where the other side asks for it."""
    from ..recording.recorder import FOLDER, Recorder

    folder = os.environ.pop(FOLDER, None)
    if folder is None:
        return
    recorder = Recorder(folder, os.getcwd(), _OWN)
    atexit.register(recorder.finish)
    recorder.install()


def _run_tests(arguments: list[str]) -> int:
    """Runs tests by their names, as `python -m pytest` does in the present folder."""
    if importlib.util.find_spec("pytest") is None:
        sys.stderr.write(
            "error: pytest is not installed for %s, and FILE::TEST is run by it: %s -m pip install pytest\n"
            % (sys.executable, sys.executable)
        )
        return 3
    import pytest

    class AbsentPackages:
        """Remembers what pytest could not import while it collected tests."""

        def __init__(self) -> None:
            self.names: list[str] = []

        def note(self, error: BaseException | None) -> None:
            while error is not None:
                name = _absent_package(error)
                if name is not None and name not in self.names:
                    self.names.append(name)
                error = error.__cause__

        @pytest.hookimpl(wrapper=True)
        def pytest_load_initial_conftests(self) -> object:
            try:
                return (yield)
            except BaseException as error:
                self.note(error)
                raise

        def pytest_exception_interact(self, call: pytest.CallInfo) -> None:
            self.note(call.excinfo.value)

    absent = AbsentPackages()
    sys.path[0] = os.getcwd()
    status = int(pytest.main(["-q", "-p", "no:cacheprovider", *arguments], plugins=[absent]))
    for name in absent.names:
        _tell_absent(name)
    return status


def _tell_files_apart() -> None:
    """Triton's cache on disk knows a kernel by its text and line alone. Findings and counters name files, so
    that a kernel that stands in another file is another kernel here.
    """
    from triton.runtime.jit import JITCallable

    text_alone = JITCallable.cache_key.fget
    JITCallable.cache_key = property(lambda function: "%s:%s" % (text_alone(function), _file_of(function)))


def _file_of(function: Any) -> str:
    """The file that a function of Triton stands in; Triton 3.6 and earlier do not name it."""
    return getattr(function, "file_name", None) or function.fn.__code__.co_filename


def _report(error: BaseException | None, without_gpu: str | None) -> None:
    """Shows an exception as Python would, without the frames that are ours. `without_gpu`: why there are no
    tensors on `cuda`.
    """
    seen = set()
    _forget_own_frames(error, seen)
    sys.excepthook(type(error), error, error.__traceback__)
    if without_gpu is not None and any(_NO_CUDA.search(str(each)) for each in seen):
        sys.stderr.write(
            'kernelwright: device="cuda" cannot be used: %s\nkernelwright: without it, '
            "device=triton.runtime.driver.active.get_active_torch_device() works\n" % without_gpu
        )
    absent = _absent_package(error)
    if absent is not None:
        _tell_absent(absent)
    if any(_NO_FP8.search(str(each)) for each in seen):
        sys.stderr.write(
            "kernelwright: GPUs know fp8e4nv (torch.float8_e4m3fn) from sm_89 on: kernelwright run --arch sm_89\n"
        )


def _tell_absent(package: str) -> None:
    sys.stderr.write(
        "kernelwright: %s has no %s: %s -m pip install %s, or name a Python that has it, torch and Triton: "
        "kernelwright run --python PYTHON\n" % (sys.executable, package, sys.executable, package_of(package))
    )


def _absent_package(error: BaseException | None) -> str | None:
    """The package that an import did not find, when it is none of the program's own files."""
    name = getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None
    package = (name or "").partition(".")[0]
    return package if package and importlib.util.find_spec(package) is None else None


def _forget_own_frames(error: BaseException | None, seen: set[BaseException]) -> None:
    if error is None or error in seen:
        return
    seen.add(error)
    kept, frame = [], error.__traceback__
    while frame is not None:
        if not frame.tb_frame.f_code.co_filename.startswith(_OWN):
            kept.append(frame)
        frame = frame.tb_next
    for this, following in zip(kept, [*kept[1:], None]):
        this.tb_next = following
    error.__traceback__ = kept[0] if kept else None
    _forget_own_frames(error.__cause__, seen)
    _forget_own_frames(error.__context__, seen)
