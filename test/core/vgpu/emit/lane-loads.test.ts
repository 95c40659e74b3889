import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, bytesOf, compileText } from "../support";
import { draws } from "../../../harness/draws";

/** Types of elements with the registers that hold them. */
const elements = [
  ["u8", 1, "r"],
  ["s8", 1, "r"],
  ["s8", 1, "h"],
  ["u8", 1, "rd"],
  ["u16", 2, "h"],
  ["s16", 2, "r"],
  ["s16", 2, "rd"],
  ["b32", 4, "r"],
  ["f32", 4, "f"],
  ["s32", 4, "rd"],
  ["u64", 8, "rd"],
  ["f64", 8, "d"],
] as const;

/** Where the lanes of a warp begin to read, by lane: multiples of 16 bytes but for packed ones. */
const patterns: Readonly<Record<string, (lane: number, size: number) => number>> = {
  packed: (lane, size) => lane * size,
  uniform: () => 64,
  rows: (lane, size) => (lane >> 4) * 512 + (lane & 15) * size,
  pairs: (lane) => (lane >> 1) * 32,
  strided: (lane) => lane * 48,
  reversed: (lane) => (31 - lane) * 16,
  mixed: (lane) => ((lane * 7) % 32) * 16,
};

const bufferBytes = 4096;
const lanes = 32;

/** Registers of a kind that loads write, and that are stored at the end. */
const targets = { h: 2, r: 8, rd: 8, f: 8, d: 8 } as const;

const loadText = fc
  .record({
    element: fc.constantFrom(...elements),
    count: fc.constantFrom(1, 1, 1, 2, 4),
    space: fc.constantFrom("global", "shared", "generic", "local", "narrow local"),
    base: fc.constantFrom(...Object.keys(patterns)),
    step: fc.integer({ min: -4, max: 20 }),
    first: fc.nat(3),
    guard: fc.constantFrom("", "", "", "@%p1 ", "@!%p1 ", "@%p2 "),
  })
  .map(({ element: [type, size, register], count, space, base, step, first, guard }) => {
    const number = size === 8 && count === 4 ? 2 : count;
    const bytes = size * number;
    const names = Array.from(
      { length: number },
      (_, index) => `%${register}${(20 % targets[register]) + ((first + index) % 4)}`,
    );
    const into = number === 1 ? (names[0] ?? "") : `{${names.join(", ")}}`;
    const named = `${space === "generic" ? "" : `.${space.replace("narrow ", "")}`}${number === 1 ? "" : `.v${number}`}.${type}`;
    return { base, space, bytes, text: `${guard}ld${named} ${into}, [BASE+${step * bytes}];` };
  });

type LoadText = typeof loadText extends fc.Arbitrary<infer Value> ? Value : never;

/** What addresses count from in each space, and whether they have 32 bits. */
const bases: Readonly<Record<string, readonly [string, boolean]>> = {
  global: ["%rd30", false],
  generic: ["%rd30", false],
  shared: ["%r29", true],
  local: ["%rd29", false],
  "narrow local": ["%r28", true],
};

/** A kernel that runs the loads with the lanes' offsets from a table, and stores what it has loaded. */
function kernelOf(loads: readonly LoadText[], divergent: boolean): string {
  const lines = loads.map(({ base, bytes, space, text }, index) => {
    const row = tableRows.indexOf(`${base} ${base === "packed" || base === "rows" ? bytes : 16}`);
    const at = `ld.global.u32 %r30, [%rd2+${row * lanes * 4}];`;
    const [from, isNarrow] = bases[space] ?? ["", false];
    const place = isNarrow
      ? `add.u32 %r31, ${from}, %r30;`
      : `cvt.u64.u32 %rd31, %r30; add.u64 %rd31, ${from}, %rd31;`;
    return `${at} ${place} ${text.replace("BASE", isNarrow ? "%r31" : "%rd31")} // ${index}`;
  });
  const stores = (["r", "f"] as const).flatMap((kind) =>
    [0, 1, 2, 3].map(
      (index) => `st.global.b32 [%rd3+${4 * (kind === "r" ? index : index + 4)}], %${kind}${4 + index};`,
    ),
  );
  const wide = (["rd", "d"] as const).flatMap((kind) =>
    [0, 1, 2, 3].map(
      (index) =>
        `st.global.b64 [%rd3+${32 + 8 * (kind === "rd" ? index : index + 4)}], %${kind}${4 + index};`,
    ),
  );
  const halves = [0, 1, 2, 3].map((index) => `st.global.b16 [%rd3+${96 + 2 * index}], %h${index};`);
  return snippet(
    ["u64", "u64", "u64"],
    [
      ".shared .align 16 .b8 tile[4096]; .local .align 16 .b8 own[4096];",
      "ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; ld.param.u64 %rd3, [p2];",
      "mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd2, %rd1, %rd4;",
      "mul.wide.u32 %rd4, %r0, 128; add.u64 %rd3, %rd3, %rd4;",
      "add.u64 %rd30, %rd0, 256; mov.u32 %r29, tile; add.u32 %r29, %r29, 256;",
      "and.b32 %r1, %r0, 5; setp.eq.u32 %p1, %r1, 1; setp.lt.u32 %p2, %r0, 12;",
      // Each lane fills its part of the tile with what the buffer holds.
      "mul.wide.u32 %rd5, %r0, 128; add.u64 %rd6, %rd0, %rd5; mul.lo.u32 %r2, %r0, 128; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3;",
      ...Array.from(
        { length: 32 },
        (_, index) => `ld.global.u32 %r3, [%rd6+${4 * index}]; st.shared.u32 [%r2+${4 * index}], %r3;`,
      ),
      "bar.sync 0;",
      // The memory of each lane begins elsewhere in the buffer.
      "mov.u64 %rd28, own; add.u64 %rd29, %rd28, 256; cvt.u32.u64 %r28, %rd29; mov.u32 %r27, 0;",
      "$fill: mad.lo.u32 %r26, %r0, 44, %r27; and.b32 %r26, %r26, 4095; cvt.u64.u32 %rd27, %r26;",
      "add.u64 %rd27, %rd0, %rd27; ld.global.u32 %r26, [%rd27]; st.local.u32 [%rd28], %r26;",
      "add.u64 %rd28, %rd28, 4; add.u32 %r27, %r27, 4; setp.lt.u32 %p3, %r27, 4096; @%p3 bra $fill;",
      divergent ? "setp.gt.u32 %p3, %r0, 18; @%p3 bra $end;" : "",
      ...lines,
      "$end:",
      ...stores,
      ...wide,
      ...halves,
    ].join("\n"),
  );
}

const tableRows = Object.keys(patterns).flatMap((name) => [1, 2, 4, 8, 16].map((size) => `${name} ${size}`));
const table = Uint32Array.from(
  tableRows.flatMap((row) => {
    const [name = "", size = "1"] = row.split(" ");
    return Array.from({ length: lanes }, (_, lane) => patterns[name]?.(lane, Number(size)) ?? 0);
  }),
);

/** What a kernel leaves, or how it ends. With `counters` each load is one of a whole warp. */
function execute(text: string, data: Uint8Array, counters: boolean): unknown {
  const memory = new DeviceMemory();
  const buffer = memory.allocate("buffer", data.byteLength, { initial: data });
  const offsets = memory.allocate("offsets", table.byteLength, { initial: bytesOf(table) });
  const out = memory.allocate("out", lanes * 128, {});
  const { kind } = launch(compileText(text, "kernel", { counters }), {
    grid: [1, 1, 1],
    block: [lanes, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(buffer), address(offsets), address(out)],
    memory,
    instructionBudget: 1e6,
  });
  return kind === "completed" ? [...new Uint32Array(memory.read(out).buffer)] : kind;
}

suite("loads in the lanes' code", () => {
  const programs = fc.tuple(
    fc.array(loadText, { minLength: 1, maxLength: 10 }),
    fc.boolean(),
    fc.uint8Array({ minLength: bufferBytes, maxLength: bufferBytes }),
  );

  it("give what loads of whole warps give, or end the launch as they do", () => {
    fc.assert(
      fc.property(programs, ([loads, divergent, data]) => {
        const text = kernelOf(loads, divergent);
        expect(execute(text, data, false)).toEqual(execute(text, data, true));
      }),
      { numRuns: draws(80) },
    );
  });

  const data = Uint8Array.from({ length: bufferBytes }, (_, index) => (index * 37 + (index >> 8)) & 255);

  /** The outcome of one warp whose lanes read at `lane * stride + start` of the buffer. */
  function outcome(stride: number, start: number, guard = ""): string {
    const memory = new DeviceMemory();
    const buffer = memory.allocate("buffer", bufferBytes, { initial: data });
    const body = `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 16; mul.wide.u32 %rd1, %r0, ${stride}; add.u64 %rd0, %rd0, %rd1; ${guard}ld.global.u32 %r1, [%rd0+${start}]; ${guard}ld.global.u32 %r2, [%rd0+${start + 4}]; add.u32 %r1, %r1, %r2;`;
    const result = launch(compileText(snippet(["u64"], body), "kernel"), {
      grid: [1, 1, 1],
      block: [lanes, 1, 1],
      dynamicSharedBytes: 0,
      arguments: [address(buffer)],
      memory,
      instructionBudget: 1e4,
    });
    return result.kind === "fault" ? result.finding.message : result.kind;
  }

  it.each<readonly [string, readonly [number, number, string?], string | RegExp]>([
    ["to the last byte, packed", [4, bufferBytes - 132], "completed"],
    ["one word beyond, packed", [4, bufferBytes - 128], /thread \(31,.* 4 bytes behind the end/],
    ["before the first byte", [4, -4], /thread \(0,/],
    ["to the last byte, by all", [0, bufferBytes - 8], "completed"],
    ["one word beyond, by all", [0, bufferBytes - 4], /thread \(0,/],
    ["far apart to the last byte", [128, 120], "completed"],
    ["far apart, one word beyond", [128, 124], /thread \(31,/],
    ["at odd addresses", [4, 2], /misaligned/],
    ["outside, by lanes that a guard leaves out", [4, bufferBytes - 68, "@%p0 "], "completed"],
    ["outside, by lanes that a guard leaves in", [4, bufferBytes - 64, "@%p0 "], /thread \(15,/],
  ])("that read %s", (_, access, expected) => {
    expect(outcome(...access)).toMatch(expected);
  });
});
