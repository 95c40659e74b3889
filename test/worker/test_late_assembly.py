"""Machine code of Triton's that is made when host code asks for it."""

import itertools
import os
import tempfile
import unittest

import paths  # noqa: F401
import triton
import triton.language as tl
from kernelwright_worker.candidate import late_assembly, launches
from triton.backends.nvidia.compiler import CUDABackend
from triton.runtime import driver

FACTS = {"sharedBytesPerBlock": 166912, "multiprocessors": 108}


@triton.jit
def doubled(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


class LateAssembly(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        before = os.environ.get("TRITON_CACHE_DIR")
        os.environ["TRITON_CACHE_DIR"] = folder.name
        cls.addClassCleanup(_restore, before)
        cls.assembled = []
        make = CUDABackend.make_cubin

        def counted(*given, **named):
            cls.assembled.append(1)
            return make(*given, **named)

        CUDABackend.make_cubin = counted
        cls.addClassCleanup(setattr, CUDABackend, "make_cubin", make)
        cls.addClassCleanup(setattr, driver, "_active", driver._active)
        launches.install(80, FACTS, lambda launch: None)

    def setUp(self):
        self.assembled.clear()

    def compiled(self, block):
        kernel = doubled.warmup(triton.MockTensor(tl.float32), 7, BLOCK=block, grid=(1,))
        kernel._init_handles()
        return kernel

    def test_nothing_is_assembled_that_nobody_looks_at(self):
        kernel = self.compiled(64)
        self.assertIn("cubin", kernel.asm)
        self.assertIn(".entry", kernel.asm["ptx"])
        self.assertEqual(self.assembled, [])

    def test_what_is_looked_at_is_assembled_once(self):
        ways = (
            lambda kernel: kernel.n_regs > 0,
            lambda kernel: kernel.n_spills == 0,
            lambda kernel: kernel.kernel.startswith(b"\x7fELF"),
            lambda kernel: kernel.asm["cubin"].startswith(b"\x7fELF"),
            lambda kernel: kernel.asm.get("cubin").startswith(b"\x7fELF"),
            lambda kernel: dict(kernel.asm.items())["cubin"].startswith(b"\x7fELF"),
        )
        for block, way in zip(itertools.count(7), ways):
            with self.subTest(block):
                self.assembled.clear()
                kernel = self.compiled(2**block)
                self.assertTrue(way(kernel))
                self.assertTrue(all(again(kernel) for again in ways))
                self.assertEqual(len(self.assembled), 1)

    def test_what_a_cubin_says_is_read_at_once(self):
        self.assertEqual(late_assembly.facts_of(b""), (0, 0))


def _restore(before):
    os.environ.pop("TRITON_CACHE_DIR")
    if before is not None:
        os.environ["TRITON_CACHE_DIR"] = before


if __name__ == "__main__":
    unittest.main()
