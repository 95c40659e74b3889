import { expect, it } from "vitest";
import { compileKernel, parsePtx } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";

/** What becomes of a kernel with this instruction: compiled, or why not. */
function outcomeOf(body: string): string {
  const parsed = parsePtx(snippet([], body));
  if (!parsed.ok) return parsed.problem.message;
  const compiled = compileKernel(parsed.value, "kernel", { counters: false, detectors: false });
  return compiled.ok ? "compiled" : compiled.problem.reason;
}

it.each([
  ["vadd.s32.s32.s32 %r0.b1, %r1, %r2;", "refused: vadd.s32.s32.s32 (an operand too few or too many)"],
  ["vadd.s32.s32.s32 %r0, %r1, %r2, %r3;", "refused: vadd.s32.s32.s32 (an operand too few or too many)"],
  ["vadd.s32.s32.s32.min %r0, %r1, %r2;", "refused: vadd.s32.s32.s32.min (an operand too few or too many)"],
  [
    "vadd.s32.s32.s32.add %r0.b1, %r1, %r2, %r3;",
    "refused: vadd.s32.s32.s32.add (a part of the result beside a second operation)",
  ],
  [
    "vadd.s32.s32.s32.add %r0, %r1, %r2, %r3.h0;",
    "refused: vadd.s32.s32.s32.add (a part of the last operand)",
  ],
  ["vmin.s32.s32.s32 %r0, -%r1, %r2;", "refused: vmin.s32.s32.s32 (a sign before an operand)"],
  ["vset.s32.s32.lt %r0, %r1.b4, %r2;", "refused: vset.s32.s32.lt (the part .b4 of a register)"],
  [
    "vshr.u32.u32.u32.clamp %r0, %r1.h10, %r2;",
    "refused: vshr.u32.u32.u32.clamp (the part .h10 of a register)",
  ],
  ["vmad.s32.u32.u32 %r0, -%r1, %r2, -%r3;", "refused: vmad.s32.u32.u32 (signs that exclude each other)"],
  [
    "vmad.s32.s32.s32.po %r0, %r1, %r2, -%r3;",
    "refused: vmad.s32.s32.s32.po (signs that exclude each other)",
  ],
  [
    "vmad.s32.s32.s32 %r0.h0, %r1, %r2, %r3;",
    "refused: vmad.s32.s32.s32 (a part of the result or of the last operand)",
  ],
  ["vmad.s32.s32.s32 %r0, %r1, %r2;", "refused: vmad.s32.s32.s32 (an operand too few or too many)"],
  ["vmad.s32.s32.s32 -%r0, %r1, %r2, %r3;", "refused: vmad.s32.s32.s32 (a sign before the result)"],
  ["vadd2.s32.s32.s32 %r0, %r1, %r2;", "refused: vadd2.s32.s32.s32 (an operand too few or too many)"],
  ["vadd2.s32.s32.s32 %r0.h01, %r1, %r2, %r3;", "refused: vadd2.s32.s32.s32 (the part .h01 of the result)"],
  ["vadd4.s32.s32.s32 %r0.b21, %r1.b7654, %r2.b0000, %r3;", "compiled"],
  [
    "vadd4.s32.s32.s32 %r0, %r1.b76, %r2, %r3;",
    "refused: vadd4.s32.s32.s32 (the part .b76 of two registers)",
  ],
  [
    "vadd2.s32.s32.s32 %r0, %r1.b10, %r2, %r3;",
    "refused: vadd2.s32.s32.s32 (the part .b10 of two registers)",
  ],
  [
    "vadd2.s32.s32.s32 %r0, %r1, %r2.h40, %r3;",
    "refused: vadd2.s32.s32.s32 (the part .h40 of two registers)",
  ],
  ["vavrg2.s32.s32.s32 %r0, %r1, %r2, -%r3;", "refused: vavrg2.s32.s32.s32 (a sign before an operand)"],
  [
    "vavrg2.s32.s32.s32.add %r0, %r1, %r2, %r3.h1;",
    "refused: vavrg2.s32.s32.s32.add (a part of the last operand)",
  ],
  ["vmad.u32.u32.u32.shr15.sat %r0, %r1.h0, %r2.h0, 5;", "compiled"],
  ["vmad.s32.s32.s32 %r0, %r1, -3, -7;", "compiled"],
  ["vadd.s32.s32.s32 %r0, %missing.b0, %r2;", "refused: vadd.s32.s32.s32 (%missing.b0)"],
  ["add.s32 %r0, %r1.b0, %r2;", "refused: add.s32 (%r1.b0)"],
])("%s", (instruction, outcome) => {
  expect(outcomeOf(instruction)).toBe(outcome);
});
