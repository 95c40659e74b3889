import { expect, test } from "vitest";
import { counterNames } from "../../../../server/core/timing/counters";
import {
  classCounters,
  findClass,
  flopsOf,
  instructionClasses,
} from "../../../../server/core/vgpu/opcodes/classes";
import { traitsOf } from "../../../../server/core/vgpu/opcodes/families";
import { findType } from "../../../../server/core/vgpu/ptx/types";
import { listForms, matchInstruction } from "../../../../server/core/vgpu/opcodes/table";
import { compileText, run } from "../support";
import { snippet } from "../snippets";
import { DeviceMemory } from "../../../../server/core/vgpu/index";

test("every form of the opcode table has a class (server/core/vgpu/opcodes/table.json)", () => {
  const missing = listForms().flatMap(({ opcode, family, slots }) => {
    const types = slots.find(({ name }) => name === "type")?.words ?? [""];
    return [...types]
      .filter((type) => findClass(traitsOf[family], findType(type)) === undefined)
      .map((type) => `${opcode} (${family}) ${type}`);
  });
  expect(missing).toEqual([]);
});

test("each class has a counter of its own", () => {
  expect(new Set(Object.values(classCounters)).size).toBe(instructionClasses.length);
  expect(Object.values(classCounters).filter((name) => !counterNames.includes(name))).toEqual([]);
});

test.each([
  ["add.rn.f32", "fp32Flops", 1],
  ["mul.f32", "fp32Flops", 1],
  ["fma.rn.f32", "fp32Flops", 2],
  ["fma.rn.f64", "fp64Flops", 2],
  ["sub.f64", "fp64Flops", 1],
  ["add.f16", "fp16Flops", 1],
  ["add.f16x2", "fp16Flops", 2],
  ["fma.rn.bf16x2", "fp16Flops", 4],
  ["mad.rn.f32", "fp32Flops", 2],
  ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "tensorFlops", 4096],
  ["mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "tensorFlops", 2048],
  ["mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "tensorFlops", 2048],
  ["mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "tensorFlops", 512],
  ["wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "tensorFlops", 8192],
  ["mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "tensorFlops", 4096],
  ["mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.s32.u4.s4.s32", "tensorFlops", 16384],
  ["min.f32", undefined, 0],
  ["neg.f32", undefined, 0],
  ["add.s32", undefined, 0],
  ["ex2.approx.f32", undefined, 0],
  ["mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "tensorFlops", 8192],
] as const)("%s", (name, counter, operations) => {
  const [opcode = "", ...modifiers] = name.split(".");
  const matched = matchInstruction({ opcode, modifiers, operands: [], ptxLine: 1, location: -1 });
  if (!matched.ok) throw new Error(matched.problem.reason);
  expect(flopsOf(matched.value)).toEqual(counter === undefined ? undefined : { counter, operations });
});

test("classes add up to the instructions, flops count active lanes", () => {
  const kernel = compileText(
    snippet(
      [],
      `.loc 1 3 1
    mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 20; @!%p0 bra $out;
    .loc 1 4 1
    cvt.rn.f32.u32 %f0, %r0; fma.rn.f32 %f1, %f0, %f0, %f0; add.f32 %f1, %f1, %f0; rcp.approx.f32 %f2, %f1;
    add.f64 %d0, %d0, %d0;
    shfl.sync.bfly.b32 %r1|%p1, %r0, 1, 31, 0xfffff; add.u32 %r1, %r1, 1;
    $out:
    .loc 1 6 1
    bar.sync 0;`,
    ),
    "kernel",
    { counters: true },
  );
  const { counters } = run(kernel, {
    grid: [3, 1, 1],
    block: [32, 1, 1],
    arguments: [],
    memory: new DeviceMemory(),
  });
  const line = counters?.lines.find((entry) => entry.line === 4);
  const classes = Object.fromEntries(
    instructionClasses.map((name) => [name, line?.[classCounters[name]]]).filter(([, value]) => value !== 0),
  );
  expect(classes).toEqual({ conversion: 3, fp32: 6, special: 3, fp64: 3, warp: 3, integer: 3 });
  expect([line?.fp32Flops, line?.fp64Flops, line?.instructions]).toEqual([3 * 20 * 3, 20 * 3, 21]);
  const total = instructionClasses.reduce(
    (sum, name) => sum + (counters?.totals[classCounters[name]] ?? 0),
    0,
  );
  expect(total).toBe(counters?.totals.instructions);
});
