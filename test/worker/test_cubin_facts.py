"""Registers and frame that are read of a cubin."""

import pathlib
import unittest

import paths
from kernelwright_worker.candidate.cubin_facts import registers_and_frame

CUBINS = pathlib.Path(paths.__file__).parent.parent / "cases" / "cubin"


class CubinFacts(unittest.TestCase):
    def test_registers_of_a_kernel(self):
        for name, facts in (("triton.sm_80", (22, 0)), ("fixture.sm_90", (32, 504))):
            cubin = (CUBINS / (name + ".cubin")).read_bytes()
            self.assertEqual(registers_and_frame(cubin), facts)

    def test_what_is_no_cubin(self):
        for other in (b"", b"\x7fELF" + b"\0" * 10, b"\x7fELF" + b"\xff" * 200):
            self.assertEqual(registers_and_frame(other), (0, 0))


if __name__ == "__main__":
    unittest.main()
