"""Compilers that wait for the next edit of a source."""

import re
import signal
import tempfile
import time
import unittest

import paths
from kernelwright_worker.compile.cache import CompileCache
from kernelwright_worker.compile.nvcc import compile_cuda
from kernelwright_worker.compile.running import Running
from kernelwright_worker.compile.waiting import HAS_LEASES
from kernelwright_worker.compile.warm import WarmCompilers
from kernelwright_worker.compile.warm_commands import read_commands, read_program, split_preprocessed

#: In the names of what no other source sees.
_NUMBER = re.compile(rb"(?:(?<=_INTERNAL_)|(?<=_GLOBAL__N__))[0-9a-f]{8}_")

DRY_RUN = """#$ _NVVM_BRANCH_=nvvm
#$ CICC_PATH=/cuda/nvvm/bin
#$ PATH=/cuda/bin:/usr/bin
#$ gcc -D__CUDA_ARCH__=800 -E -x c++ "a b.cu" -o "/tmp/x/one.ii"
#$ "$CICC_PATH/cicc" --c++17 --module_id_file_name "/tmp/x/one.id" "/tmp/x/one.ii" -o "/tmp/x/a.ptx"
"""

KERNEL = """#include "factor.h"
namespace {
__device__ float last;
}
template <typename T> __global__ void scale(T* values) {
  __shared__ T tile[32];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = FACTOR * tile[31 - threadIdx.x] + %d;
  last = 1;
}
void run(float* values) { scale<<<1, 32>>>(values); }
"""


class Commands(unittest.TestCase):
    def test_both_are_read_with_names_of_our_own(self):
        commands = read_commands(DRY_RUN, "a b.cu")
        self.assertEqual(
            ["gcc", "-D__CUDA_ARCH__=800", "-E", "-x", "c++"]
            + ["kernelwright-first.cu", "-o", "kernelwright-whole.ii"],
            commands.preprocess,
        )
        self.assertEqual(
            ["/cuda/nvvm/bin/cicc", "--c++17", "--module_id_file_name", "kernelwright-module.id"]
            + ["kernelwright-start.ii", "-o", "kernelwright-module.ptx"],
            commands.compile,
        )
        self.assertEqual({"PATH": "/cuda/bin:/usr/bin"}, commands.environment)

    def test_anything_else_that_nvcc_would_run_is_left_to_it(self):
        for text in ("", DRY_RUN + "#$ ptxas a.ptx\n", DRY_RUN.replace("cicc", "other"), "error"):
            self.assertIsNone(read_commands(text, "a b.cu"))
        self.assertIsNone(read_commands(DRY_RUN, "other.cu"))

    def test_the_program_behind_a_driver_is_read_where_it_is_one(self):
        said = 'Using built-in specs.\nCOLLECT_GCC=gcc\n /lib/cc1plus -E -D "A=1" x.cu -o y.ii\nCOMPILER_PATH=/lib\n'
        program = ["/lib/cc1plus", "-E", "-D", "A=1", "x.cu", "-o", "y.ii"]
        cases = [
            (said, program),
            (said + " /lib/as -E\n", None),
            (said.replace("-E", "-S"), None),
            ("", None),
        ]
        for text, expected in cases:
            self.assertEqual(expected, read_program(text))


class Parts(unittest.TestCase):
    def test_a_text_is_parted_before_the_first_code_of_the_users(self):
        start = '# 0 "a.cu"\n# 1 "/usr/x.h" 1\nint x;\n# 0 "<command-line>" 2\n'
        rest = '# 1 "a.cu"\n\n# 1 "./b.cuh" 1\n#pragma once\nint y;\n# 2 "a.cu" 2\nint z;\n'
        header = '# 1 "a.cu"\n# 1 "/usr/y.h" 1\nint y;\n'
        cases = [
            (start + rest, (start + rest[: rest.index('# 1 "./b')], rest[rest.index('# 1 "./b') :])),
            (start + header + '# 2 "a.cu" 2\nint z;\n', (start + header, '# 2 "a.cu" 2\nint z;\n')),
            (start, None),
            ('# 1 "a.cu"\nint z;\n', None),
        ]
        for text, expected in cases:
            self.assertEqual(expected, split_preprocessed(text, {"a.cu", "b.cuh"}))


@unittest.skipUnless(HAS_LEASES, "leases are Linux's")
class Waiting(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        self.warm = WarmCompilers(lambda: True)
        self.addCleanup(self.warm.close)

    def compile(self, number, warm=None, body=KERNEL):
        files = {"src/a.cu": body % number, "src/factor.h": "#define FACTOR 3.0f\n"}
        params = {"files": files, "main": "src/a.cu", "architecture": "sm_80", "seconds": 60}
        with tempfile.TemporaryDirectory() as folder:
            return compile_cuda(params, Running(), CompileCache(folder), warm or self.warm)

    def wait(self):
        """Until a compiler waits; whether one does."""
        until = time.monotonic() + 60
        (known,) = self.warm._known.values()
        while known.preparing and time.monotonic() < until:
            time.sleep(0.05)
        return known.waiting is not None

    def test_an_edit_gives_what_nvcc_gives_and_an_error_is_nvccs(self):
        self.compile(1)
        self.compile(2)
        self.assertTrue(self.wait())
        result, (ptx, _) = self.compile(3)
        expected, (nvccs, _) = self.compile(3, WarmCompilers(lambda: True))
        self.assertEqual(expected, result)
        self.assertEqual(*(_NUMBER.sub(b"_", each) for each in (nvccs, ptx)))
        self.assertTrue(self.wait())
        wrong = self.compile(4, body=KERNEL.replace("tile[31", "nothing[31"))
        self.assertEqual(
            self.compile(4, WarmCompilers(lambda: True), KERNEL.replace("tile[31", "nothing[31")), wrong
        )
        self.assertFalse(wrong[0]["compiled"])

    def test_kernels_that_launch_kernels_are_compiled_but_not_linked(self):
        child = "__global__ void child(float *x) { *x = %d; }\n"
        result, (ptx, _) = self.compile(
            1, body=child + "__global__ void parent() { child<<<1, 1>>>(nullptr); }\n"
        )
        entries = sorted(re.findall(rb"\.entry (\w+)", ptx))
        self.assertEqual((True, [b"_Z5childPf", b"_Z6parentv"]), (result["compiled"], entries))


if __name__ == "__main__":
    unittest.main()
