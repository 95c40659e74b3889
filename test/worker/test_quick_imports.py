"""torch is imported without looking for garbage, and torch._dynamo once something of it is asked for."""

import gc
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest

import paths
from kernelwright_worker.quick_imports import _stamp, without_collections

#: Of what asks for the module each is the first in a process of its own: (its text, what it says).
ASKING = [
    (
        "print(tuple(torch.compile(lambda x: x + x, backend='eager')(number).shape))",
        "(4, 4)",
    ),
    ("import torch._dynamo.config as c; print(c.__name__)", "torch._dynamo.config"),
    ("from torch._dynamo import reset; print(reset.__name__)", "reset"),
]

SCRIPT = """
import inspect, os, sys
import torch
from kernelwright_worker.quick_imports import postpone_dynamo
postpone_dynamo()
def is_loaded():
    return "torch._dynamo.eval_frame" in sys.modules
number = torch.empty(4, 4, device="meta")
def operate():
    return tuple((number[1:] + 1).shape), tuple((number @ number).sum().shape)
print(operate(), is_loaded())
inspect.getsource(inspect.getmodule)
print(is_loaded(), flush=True)
for text in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        exec(text)
        import torch._dynamo
        print(is_loaded(), sys.modules["torch._dynamo"].__name__, operate(), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@unittest.skipIf(importlib.util.find_spec("torch") is None, "no torch here")
class Dynamo(unittest.TestCase):
    def test_it_waits_until_something_of_it_is_asked_for(self):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *(text for text, _ in ASKING)],
            env={**os.environ, "PYTHONPATH": paths.WORKER},
            capture_output=True,
            text=True,
        )
        shapes = "((3, 4), ())"
        expected = ["%s False" % shapes, "False"]
        for _, said in ASKING:
            expected += [said, "True torch._dynamo %s" % shapes]
        self.assertEqual(expected, done.stdout.splitlines(), done.stderr)


@unittest.skipIf(importlib.util.find_spec("triton") is None, "no Triton here")
class Digest(unittest.TestCase):
    def test_the_version_stands_for_all_files_of_triton(self):
        script = """
import triton
from kernelwright_worker.quick_imports import forget_digest_of_triton
forget_digest_of_triton()
print(triton.runtime.cache.triton_key() == triton.__version__)
"""
        command = [sys.executable, "-c", script]
        environment = {**os.environ, "PYTHONPATH": paths.WORKER}
        self.assertEqual(b"True\n", subprocess.check_output(command, env=environment))

    def test_triton_s_own_is_kept_until_a_file_changes(self):
        script = """
import sys, triton
from kernelwright_worker import quick_imports
cache = triton.runtime.cache
own, made = cache.triton_key, []
def make():
    made.append(None)
    return own()
for stamp in ("before", "before", "after"):
    cache.triton_key = make
    quick_imports._stamp = lambda module: stamp
    quick_imports.keep_digest_of_triton(sys.argv[1])
    print(cache.triton_key() == cache.triton_key() == own(), len(made))
"""
        environment = {**os.environ, "PYTHONPATH": paths.WORKER}
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", script, os.path.join(folder, "kept")]
            said = subprocess.check_output(command, env=environment, text=True)
        self.assertEqual(["True 1", "True 1", "True 2"], said.splitlines())

    def test_a_file_s_change_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            package = os.path.join(folder, "triton", "runtime")
            os.makedirs(package)
            module = types.ModuleType("triton.runtime.cache")
            module.__file__ = os.path.join(package, "cache.py")
            with open(module.__file__, "w", encoding="utf-8") as file:
                file.write("1")
            first = _stamp(module)
            self.assertEqual(first, _stamp(module))
            with open(module.__file__, "a", encoding="utf-8") as file:
                file.write("2")
            self.assertNotEqual(first, _stamp(module))


class Collections(unittest.TestCase):
    def test_are_as_they_were_before(self):
        for enabled in (True, False):
            try:
                (gc.enable if enabled else gc.disable)()
                with self.assertRaises(ImportError), without_collections():
                    self.assertFalse(gc.isenabled())
                    raise ImportError
                self.assertEqual(enabled, gc.isenabled())
            finally:
                gc.enable()


if __name__ == "__main__":
    unittest.main()
