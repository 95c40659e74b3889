"""Which parameters a kernel may store through, and addresses that programs take themselves."""

import unittest

import paths
from kernelwright_worker.script.stores import stored_parameters

HEAD = ".visible .entry k(\n .param .u64 .ptr .global k_param_0,\n .param .u64 k_param_1,\n .param .u32 k_param_2\n)\n.reqntid 128\n{\n .reg .b64 %rd<9>;\n"
LOADS = "$L__begin:\n ld.param.b64 %rd1, [k_param_0];\n ld.param.b64 %rd2, [k_param_1]; ld.param.b32 %r1, [k_param_2];\n mul.wide.s32 %rd3, %r1, 4;\n"


class Stores(unittest.TestCase):
    def test_what_a_kernel_may_change(self):
        cases = [
            ("nothing is stored", "ret;", set()),
            (
                "one is read, one is stored",
                "ld.global.b32 %r2, [%rd1]; add.s64 %rd4, %rd2, %rd3; st.global.b32 [%rd4+8], %r2;",
                {1, 2},
            ),
            (
                "a store under a guard, after a place",
                ".loc 1 5 3\n@%p1 st.global.v2.b32 [ %rd1 + 0 ], { %r2, %r3 };",
                {0},
            ),
            ("in a block of its own", "{ .reg .b32 tmp; mov.b32 tmp, 1; st.global.b32 [%rd1], tmp; }", {0}),
            ("a stored value is no target", "st.global.b64 [%rd1], %rd2;", {0}),
            (
                "through shared memory it may be any",
                "ld.shared.b64 %rd5, [%r4]; st.global.b32 [%rd5], %r2;",
                {0, 1, 2},
            ),
            (
                "an address from memory may be any",
                "ld.global.b64 %rd5, [%rd1]; st.global.b32 [%rd5], %r2;",
                {0, 1, 2},
            ),
            (
                "an index from memory is none",
                "ld.global.b32 %r5, [%rd1]; mad.wide.s32 %rd5, %r5, 4, %rd2; st.global.b32 [%rd5], %r2;",
                {1},
            ),
            (
                "taken apart and put together",
                "mov.b64 {%r6, %r7}, %rd2; mov.b64 %rd6, {%r6, %r7}; st.global.b32 [%rd6], 1;",
                {1},
            ),
            (
                "assigned later, in a loop",
                "$L1: st.global.b32 [%rd7], 1; mov.b64 %rd7, %rd6; mov.b64 %rd6, %rd2; @%p0 bra $L1;",
                {1},
            ),
            ("either of two", "selp.b64 %rd5, %rd1, %rd2, %p1; red.global.add.u32 [%rd5], 1;", {0, 1}),
            ("atomics", "atom.global.gpu.acq_rel.add.u32 %r2, [%rd1], 1;", {0}),
            (
                "copies into shared memory",
                "cp.async.cg.shared.global [%r4], [%rd1], 16; st.shared.b32 [%r4], %r2; st.global.b32 [%rd2], %r2;",
                {1},
            ),
            (
                "a shuffle of an address",
                "mov.b64 {%r6, %r7}, %rd1; shfl.sync.idx.b32 %r8|%p2, %r6, 0, 31, -1; mov.b64 %rd6, {%r8, %r7}; st.global.b8 [%rd6], %r2;",
                {0},
            ),
            ("a store to nobody knows where", "mov.b64 %rd5, 4096; st.global.b32 [%rd5], 1;", None),
            ("a function", "call.uni (retval0), helper, (param0);", None),
            (
                "printing is none",
                "call.uni (retval0), vprintf, (param0, param1); st.global.b32 [%rd2], 1;",
                {1},
            ),
        ]
        for title, body, expected in cases:
            with self.subTest(title):
                self.assertEqual(
                    expected,
                    stored_parameters(
                        "// comment; st.global.b32 [%rd1], 1;\n" + HEAD + LOADS + body + "\n}\n", "k"
                    ),
                )

    def test_another_kernel(self):
        self.assertIsNone(stored_parameters(HEAD + LOADS + "}", "other"))


if __name__ == "__main__":
    unittest.main()
