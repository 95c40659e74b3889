import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, type KernelFinding, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";
import { draws } from "../../../harness/draws";

/**
 * Where the lanes of an access go: element ((thread & keep) · step + start) >> shift, or rows of 16 side by
 * side, of a shared or global buffer of 2,048 bytes.
 */
interface Pattern {
  readonly space: "shared" | "global";
  readonly bytes: 1 | 2 | 4 | 8 | 16;
  readonly keep: number;
  readonly step: number;
  readonly start: number;
  readonly shift: number;
  readonly rows: boolean;
  /** Only threads below take part. */
  readonly threads: number;
}

type Access =
  | { readonly kind: "load" | "atomic"; readonly at: Pattern }
  | { readonly kind: "store"; readonly at: Pattern; readonly same: boolean }
  | { readonly kind: "copy"; readonly at: Pattern; readonly waits: boolean };

type Step = Access | { readonly kind: "barrier" | "warp" | "fence" };

const types = { 1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "v4.u32" } as const;

/** Leaves the address in %r10 or %rd10, and whether the thread takes part in %p0. */
function place({ space, bytes, keep, step, start, shift, rows, threads }: Pattern): string {
  const index = rows
    ? `and.b32 %r11, %r0, 15; shr.u32 %r12, %r0, 4; mad.lo.u32 %r10, %r12, ${start}, %r11;`
    : `and.b32 %r10, %r0, ${keep}; mad.lo.u32 %r10, %r10, ${step}, ${start}; shr.u32 %r10, %r10, ${shift};`;
  const to =
    space === "shared"
      ? "mov.u32 %r13, tile; add.u32 %r10, %r10, %r13;"
      : "cvt.u64.u32 %rd10, %r10; add.u64 %rd10, %rd10, %rd0;";
  return `${index} mul.lo.u32 %r10, %r10, ${bytes}; and.b32 %r10, %r10, ${2048 - bytes}; ${to} setp.lt.u32 %p0, %r0, ${threads};`;
}

function access(step: Access): string {
  const { at, kind } = step;
  const target = at.space === "shared" ? "%r10" : "%rd10";
  if (kind === "atomic")
    return `${place({ ...at, bytes: 4 })}\n@%p0 atom.${at.space}.add.u32 %r16, [${target}], 1;`;
  if (kind === "copy") {
    const bytes = at.bytes < 4 ? 4 : at.bytes;
    return `${place({ ...at, bytes, space: "shared" })}\n@%p0 cp.async.ca.shared.global [%r10], [%rd0], ${bytes}; cp.async.commit_group;${step.waits ? "cp.async.wait_group 0;" : ""}`;
  }
  const value = kind === "store" && step.same ? "%r20" : "%r0";
  const loaded = [16, 17, 18, 19].map((index) => (kind === "load" ? `%r${index}` : value));
  const byWidth: Readonly<Record<number, string>> = { 16: `{${loaded.join(", ")}}`, 8: "%rd11" };
  const registers = byWidth[at.bytes] ?? loaded[0];
  const widened = at.bytes === 8 && kind === "store" ? `cvt.u64.u32 %rd11, ${value};` : "";
  return `${place(at)} ${widened}\n@%p0 ${kind === "load" ? `ld.${at.space}.${types[at.bytes]} ${registers}, [${target}]` : `st.${at.space}.${types[at.bytes]} [${target}], ${registers}`};`;
}

/** `full`: what a barrier of the whole block is. */
function code(steps: readonly Step[], full: string): string {
  const texts = steps.map((step, index) => {
    const line = `.loc 1 ${index + 2} 1\n`;
    if ("at" in step) return line + access(step);
    if (step.kind === "barrier") return full;
    return step.kind === "fence" ? "fence.acq_rel.gpu;" : "bar.warp.sync -1;";
  });
  return [
    `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r20, 7; mov.u64 %rd11, 0;`,
    full,
    ...texts,
  ].join("\n");
}

function findings(body: string, blocks: number): readonly KernelFinding[] {
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 2048, { initial: new Uint8Array(2048) });
  const kernel = compileText(snippet(["u64"], body, ".shared .align 16 .b8 tile[2048];"), "kernel", {
    detectors: true,
  });
  const outcome = launch(kernel, {
    grid: [blocks, 1, 1],
    block: [96, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    instructionBudget: 1e6,
    faults: "report",
    memory,
  });
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return outcome.findings;
}

const pattern: fc.Arbitrary<Pattern> = fc.record({
  space: fc.constantFrom("shared", "shared", "global"),
  bytes: fc.constantFrom(4, 4, 1, 2, 8, 16),
  keep: fc.constantFrom(-1, -1, -3, -2),
  step: fc.constantFrom(0, 1, 1, 2, 16, 17, 31, 33),
  start: fc.constantFrom(0, 1, 3, 16, 32),
  shift: fc.constantFrom(0, 0, 1, 2, 4, 5),
  rows: fc.boolean(),
  threads: fc.constantFrom(96, 96, 96, 40, 5, 1),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("load" as const), at: pattern }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("store" as const), at: pattern, same: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("atomic" as const), at: pattern }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("copy" as const), at: pattern, waits: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("barrier" as const, "warp" as const, "fence" as const) }),
  },
);

suite("the detectors, however the lanes of an access lie", () => {
  it("find the same after full barriers as after named ones, behind which each lane is looked at alone", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 6, maxLength: 14 }),
        fc.integer({ min: 1, max: 2 }),
        (steps, blocks) => {
          const [together, single] = ["bar.sync 0;", "bar.sync 0;\nbarrier.sync 1, 96;"].map((full) =>
            findings(code(steps, full), blocks),
          );
          expect(together).toEqual(single);
        },
      ),
      { numRuns: draws(25) },
    );
  });
});
