"""torch is imported without looking for garbage, and torch._dynamo once something of it is asked for."""

import gc
import importlib.util
import os
import subprocess
import sys
import unittest

import paths
from kernelwright_worker.quick_imports import without_collections

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
