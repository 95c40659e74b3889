"""Names of earlier versions of Triton mean today's functions."""

import unittest
from importlib.util import find_spec

import paths  # noqa: F401


@unittest.skipUnless(find_spec("triton"), "Triton is not installed")
class EarlierNames(unittest.TestCase):
    def test_they_are_todays_functions(self):
        import triton
        import triton.language as tl
        from kernelwright_worker.triton_versions import earlier_names
        from triton.language.extra.cuda import libdevice

        rsqrt = tl.math.rsqrt
        earlier_names.install()
        from triton.language.libdevice import llrint
        from triton.language.math import tanh
        from triton.ops.matmul_perf_model import early_config_prune, estimate_matmul_time

        cases = [
            ("the library", tl.libdevice.__name__, "triton.language.extra.libdevice"),
            ("a function of it", llrint, tl.libdevice.llrint),
            ("what was a function of tl.math", tanh, libdevice.tanh),
            ("what goes by another name", tl.math.max, tl.maximum),
            ("what has its place still", tl.math.rsqrt, rsqrt),
            ("a model that leaves nothing out", early_config_prune([1, 2], {}), [1, 2]),
            ("a model in which all take as long", estimate_matmul_time(M=8), 0.0),
            ("the driver's helpers", type(triton.runtime.driver).utils.fget is not None, True),
        ]
        for name, given, expected in cases:
            with self.subTest(name):
                self.assertEqual(expected, given)

    def test_a_library_that_is_not_there_is_tritons_own(self):
        from kernelwright_worker.triton_versions import earlier_names
        from triton.backends.compiler import GPUTarget
        from triton.backends.nvidia.compiler import CUDABackend

        earlier_names.install()
        backend = CUDABackend(GPUTarget("cuda", 80, 32))
        own = dict(backend.parse_options({}).extern_libs)["libdevice"]
        cases = [
            ({"libdevice": "/nowhere/libdevice.10.bc"}, {"libdevice": own}),
            ({"libdevice": __file__}, {"libdevice": __file__}),
            (
                {"libdevice": "/nowhere/libdevice.10.bc", "more": "/nowhere/more.bc"},
                {"libdevice": own, "more": "/nowhere/more.bc"},
            ),
        ]
        for named, wanted in cases:
            with self.subTest(named):
                self.assertEqual(dict(backend.parse_options({"extern_libs": named}).extern_libs), wanted)


if __name__ == "__main__":
    unittest.main()
