import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, compileKernel, launch, parsePtx } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

const list = (kind: string, from: number, count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `%${kind}${from + index}`).join(", ")}}`;

/** Types, shape, and how many registers A and B have. */
interface Product {
  readonly name: string;
  readonly a: number;
  readonly b: number;
}

const halves: Product = { name: "sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a: 2, b: 2 };
const longHalves: Product = { name: "sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", a: 4, b: 4 };
const single: Product = { name: "sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", a: 2, b: 2 };
const bytes: Product = { name: "sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", a: 4, b: 4 };

function instructionOf({ name, a, b }: Product, selector: string, variant = "sp"): string {
  const sums = name.includes(".s32.") ? list("r", 16, 4) : list("f", 0, 4);
  return `mma.${variant}.${name} ${sums}, ${list("r", 4, a)}, ${list("r", 8, b)}, ${sums}, %r2, ${selector};`;
}

suite("a product with a sparse A is refused", () => {
  it.each([
    [
      "of a selector that the manual leaves undefined",
      instructionOf(longHalves, "2"),
      `mma.sp.${longHalves.name} (a sparsity selector of 2, which is undefined)`,
    ],
    [
      "of a selector when all four threads hold metadata",
      instructionOf(bytes, "1"),
      `mma.sp.${bytes.name} (a sparsity selector of 1, which is undefined)`,
    ],
    [
      "of a negative selector",
      instructionOf(halves, "-1"),
      `mma.sp.${halves.name} (a sparsity selector of -1, which is undefined)`,
    ],
    [
      "of a selector in a register",
      instructionOf(halves, "%r3"),
      `mma.sp.${halves.name} (a sparsity selector that is no number)`,
    ],
    [
      "with the registers of a dense product",
      instructionOf({ ...halves, a: 4 }, "0"),
      `mma.sp.${halves.name} (a fragment of another size)`,
    ],
    [
      "with results in the registers of C, in another order",
      `mma.sp.${halves.name} {%f1, %f0, %f2, %f3}, ${list("r", 4, 2)}, ${list("r", 8, 2)}, ${list("f", 0, 4)}, %r2, 0;`,
      `mma.sp.${halves.name} (result in the registers of C, in another order)`,
    ],
    [
      "of kinds that sm_89 lacks",
      instructionOf(
        { ...bytes, name: "sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32" },
        "0",
        "sp::ordered_metadata",
      ),
      "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32",
    ],
  ])("%s", (_, body, reason) => {
    const parsed = parsePtx(snippet([], body));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const compiled = compileKernel(parsed.value, "kernel", { counters: false, detectors: false });
    expect(compiled.ok ? "compiled" : compiled.problem.reason).toBe(`refused: ${reason}`);
  });
});

/** Runs a product with good metadata everywhere but in one lane. */
function runWith({
  body,
  good,
  lane,
  word,
}: {
  readonly body: string;
  readonly good: number;
  readonly lane: number;
  readonly word: number;
}): unknown {
  const memory = new DeviceMemory();
  const words = new Uint32Array(32).fill(good);
  words[lane] = word;
  const data = memory.allocate("metadata", 128, { initial: new Uint8Array(words.buffer) });
  const kernel = compileText(
    snippet(
      ["u64"],
      `.loc 1 3 1
    ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1;
    ld.global.u32 %r2, [%rd0];
    .loc 1 7 1
    ${body}`,
    ),
    "kernel",
  );
  const outcome = launch(kernel, {
    grid: [1, 1, 1],
    block: [32, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    memory,
    instructionBudget: 1000,
  });
  if (outcome.kind !== "fault") return outcome.kind;
  const { kind, line, thread, message } = outcome.finding;
  return { kind, line, thread, message };
}

const ascending = 0x4444_4444;
const right = 0x9e4d_c8e4;

suite("indices that the manual leaves undefined end the launch (PTX ISA section 9.7.15.6.1)", () => {
  const told = (name: string, lane: number): unknown => ({
    kind: "invalid-metadata",
    line: 7,
    thread: [lane, 0, 0],
    message: `invalid metadata: ${name} is undefined for the indices that thread (${lane},0,0) of block (0,0,0) holds for it`,
  });
  it.each([
    [
      "the same place twice",
      { body: instructionOf(halves, "1"), good: ascending, lane: 9, word: 0x4444_5444 },
      told(`mma.sp.${halves.name}`, 9),
    ],
    [
      "the same place twice where the selector does not look",
      { body: instructionOf(halves, "1"), good: ascending, lane: 8, word: 0x4444_5444 },
      "completed",
    ],
    [
      "the second thread of a pair",
      { body: instructionOf(longHalves, "1"), good: ascending, lane: 31, word: 0x4444_444a },
      told(`mma.sp.${longHalves.name}`, 31),
    ],
    [
      "places in any order",
      { body: instructionOf(bytes, "0"), good: ascending, lane: 2, word: right },
      "completed",
    ],
    [
      "places that descend, where they have to ascend",
      {
        body: instructionOf(bytes, "0", "sp::ordered_metadata"),
        good: ascending,
        lane: 2,
        word: 0x4444_1444,
      },
      told(`mma.sp::ordered_metadata.${bytes.name}`, 2),
    ],
    [
      "places that ascend",
      {
        body: instructionOf(bytes, "0", "sp::ordered_metadata"),
        good: ascending,
        lane: 2,
        word: 0x4cd8_e9dc,
      },
      "completed",
    ],
    [
      "no place of tf32",
      { body: instructionOf(single, "0"), good: 0x44ee_4e4e, lane: 4, word: 0x44ee_4e4c },
      told(`mma.sp.${single.name}`, 4),
    ],
    [
      "the places of tf32",
      { body: instructionOf(single, "3"), good: 0x44ee_4e4e, lane: 4, word: 0 },
      "completed",
    ],
  ])("%s", (_, given, expected) => {
    expect(runWith(given)).toEqual(expected);
  });

  it("and so does a lane that is missing", () => {
    const body = `setp.lt.u32 %p0, %r0, 31; @%p0 ${instructionOf(halves, "0")}`;
    expect(runWith({ body, good: ascending, lane: 0, word: ascending })).toMatchObject({
      kind: "divergent-warp-instruction",
      line: 7,
    });
  });
});
