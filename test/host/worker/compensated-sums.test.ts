import { expect, test } from "vitest";
import { familiesOf } from "../../../server/core/base/instruction-families";
import { hasCompensatedSums } from "../../../server/host/worker/compile/compensated-sums";

/** What nvcc makes of sums: those that take their rounding error, and those that look like it. */
const kernel = (lines: string): string =>
  `.visible .entry total(.param .u64 total_param_0)\n{\n${lines}\nret;\n}\n`;

test.each([
  {
    what: "Kahan's, in a loop",
    ptx: kernel(
      "sub.f32 %f20, %f19, %f42;\nadd.f32 %f47, %f41, %f20;\nsub.f32 %f21, %f47, %f41;\nsub.f32 %f42, %f21, %f20;",
    ),
    has: true,
  },
  {
    what: "Neumaier's, whose branches take it from either side",
    ptx: kernel("add.f64 %fd77, %fd70, %fd22;\n@%p1 bra $L__BB1_4;\nsub.f64 %fd25, %fd70, %fd77;"),
    has: true,
  },
  {
    what: "halves by inline assembly",
    ptx: kernel("{add.f16 %rs3,%rs1,%rs2;\n}\n{sub.f16 %rs4,%rs3,%rs1;\n}"),
    has: true,
  },
  {
    what: "a fused product on the way, without denormal numbers",
    ptx: kernel("fma.rn.ftz.f32 %f3, %f1, %f2, %f9;\nsub.ftz.f32 %f4, %f3, %f9;"),
    has: true,
  },
  {
    what: "a function that was not inlined",
    ptx: `.func (.param .b64 back) _Z3twoff(.param .b32 one)\n{\nadd.f32 %f3, %f1, %f2;\nsub.f32 %f4, %f3, %f1;\nret;\n}\n${kernel("ret;")}`,
    has: true,
  },
  { what: "a plain sum", ptx: kernel("add.f32 %f3, %f3, %f1;\nsub.f32 %f4, %f3, %f1;"), has: false },
  {
    what: "a difference of a sum and another number",
    ptx: kernel("add.f32 %f3, %f1, %f2;\nsub.f32 %f4, %f3, %f5;"),
    has: false,
  },
  {
    what: "a term that has another value by then",
    ptx: kernel("add.f32 %f3, %f1, %f2;\nld.global.f32 %f1, [%rd1];\nsub.f32 %f4, %f3, %f1;"),
    has: false,
  },
  { what: "whole numbers", ptx: kernel("add.s32 %r3, %r1, %r2;\nsub.s32 %r4, %r3, %r1;"), has: false },
  {
    what: "another kernel of the file",
    ptx: `${kernel("ret;")}.visible .entry other()\n{\nadd.f32 %f3, %f1, %f2;\nsub.f32 %f4, %f3, %f1;\n}\n`,
    has: false,
  },
])("$what", ({ ptx, has }) => {
  expect(hasCompensatedSums(ptx, "total")).toBe(has);
});

test.each([
  ["a constant that ptxas makes of halves", "mov.f32 %f1, 0f3FF00000;", []],
  ["two halves packed into a register", "cvt.rn.f16x2.f32 %r1, %f1, %f2;", []],
  ["a product of two halves at once", "{fma.rn.f16x2 %r4,%r1,%r2,%r3;\n}", ["packed-half"]],
  ["a sum of bfloat16 pairs", "add.rn.bf16x2 %r4, %r1, %r2;", ["packed-half"]],
])("families by HFMA2: %s", (_, ptx, expected) => {
  expect(familiesOf(["HFMA2", "FFMA"], ptx)).toEqual(expected);
});
