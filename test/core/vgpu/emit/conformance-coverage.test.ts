import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe as suite, expect, it } from "vitest";
import { compileKernel, parsePtx } from "../../../../server/core/vgpu/index";
import type { Instruction } from "../../../../server/core/vgpu/ptx/module";
import { listForms, matchInstruction } from "../../../../server/core/vgpu/opcodes/table";
import { expectCase } from "../../../harness/cases";
import { readCases, textOf } from "./conformance-cases";
import { snippet } from "../snippets";
import { casesFolder } from "../support";
import { surfaces, surfaceText, textures, textureText } from "../launch/texture-cases";

/** Every modifier of every instruction that the cases run, as `OPCODE FAMILY SLOT:WORD`. */
function wordsOfCases(): ReadonlySet<string> {
  const files = readdirSync(join(casesFolder, "conformance", "expected")).map((name) =>
    readCases(name.replace(/\.json$/, "")),
  );
  const ofImages = [
    ...textures.map(textureText),
    ...surfaces.flatMap((entry) => [surfaceText(entry, "suld"), surfaceText(entry, "sust")]),
  ];
  const instructions = [
    ...files.flatMap((file) => file.cases.map((entry) => textOf(file, entry))),
    ...ofImages,
  ].flatMap(instructionsOf);
  return new Set(
    instructions.flatMap((instruction) => {
      const matched = matchInstruction(instruction);
      if (!matched.ok) throw new Error(matched.problem.reason);
      const { family, modifiers } = matched.value;
      const head = `${instruction.opcode} ${family}`;
      return [head, ...Object.entries(modifiers).map(([slot, word]) => `${head} ${slot}:${word}`)];
    }),
  );
}

function instructionsOf(text: string): Instruction[] {
  const parsed = parsePtx(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return [...parsed.value.functions.values()]
    .flatMap(({ statements }) => statements)
    .flatMap((statement) => (statement.kind === "instruction" ? [statement.instruction] : []));
}

/** The words of the opcode table that no case runs. */
function uncovered(): string[] {
  const known = wordsOfCases();
  const wanted = listForms().flatMap(({ opcode, family, slots }) => [
    `${opcode} ${family}`,
    ...slots.flatMap(({ name, words }) => [...words].map((word) => `${opcode} ${family} ${name}:${word}`)),
  ]);
  return [...new Set(wanted)].filter((word) => !known.has(word)).sort();
}

suite("the conformance cases", () => {
  it("run every word of the opcode table but those that are listed", () => {
    expectCase("vgpu/conformance/uncovered.json", uncovered());
  });

  it.each([
    "tcgen05.wait::ld.sync.aligned;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r0], %r1;",
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %r0;",
    "tex.acube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%r0, %f0, %f1, %f2}];",
    "sured.b.add.1d.u32.trap [%rd0, {%r1}], %r0;",
    "red.async.relaxed.cluster.global.add.u32 [%rd0], %r1;",
    "multimem.red.add.u32 [%rd0], %r0;",
    "add.rn.f128 %f0, %f1, %f2;",
    "cvt.rn.satfinite.e2m1x2.f32 %h0, %f0, %f1;",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%f0, %f1, %f2, %f3}, %r8, 0;",
  ])("%s is refused by its name", (instruction) => {
    const name = instruction.split(/[ ;]/)[0] ?? "";
    const parsed = parsePtx(snippet([], instruction));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const compiled = compileKernel(parsed.value, "kernel", { counters: false, detectors: false });
    expect(compiled.ok ? "compiled" : compiled.problem.reason).toBe(`refused: ${name}`);
  });
});
