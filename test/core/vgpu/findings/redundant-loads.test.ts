import { expect, test } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

const rows = 96;

/**
 * As Triton writes it for a block of 128 threads and rows of 32 elements: each warp loads an element and the
 * first one stores it, in several rounds, `shift` elements further.
 */
function inPlace(shift: number): string {
  const rounds = [0, 1, 2, 3].map((round) => {
    const [from, to] = [128 * round, 128 * round + 4 * shift];
    return `ld.global.f32 %f0, [%rd0+${from}]; mul.f32 %f1, %f0, %f0; add.f32 %f1, %f1, %f0;
      @%p0 st.global.f32 [%rd0+${to}], %f1;`;
  });
  return snippet(
    ["u64"],
    `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; mul.wide.u32 %rd1, %r1, 4;
     add.u64 %rd0, %rd0, %rd1; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd1, %r2, 1024; add.u64 %rd0, %rd0, %rd1;
     setp.lt.u32 %p0, %r0, 32; ${rounds.join("\n")}`,
  );
}

interface Case {
  readonly title: string;
  readonly shift: number;
  /** Warps take turns after a few instructions, as where distances of reuse are asked for. */
  readonly executed?: true;
  readonly kinds: readonly string[];
}

test.each<Case>([
  { title: "no race in whole turns", shift: 0, kinds: [] },
  { title: "no race in short turns", shift: 0, executed: true, kinds: [] },
  { title: "a race where another element is stored", shift: 32, kinds: ["global-race"] },
  {
    title: "a race in short turns, too, where another element is stored",
    shift: 32,
    executed: true,
    kinds: ["global-race"],
  },
])("what all warps load and one stores is $title", ({ shift, executed, kinds }) => {
  const kernel = compileText(inPlace(shift), "kernel", { detectors: true, triton: true });
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 1024 * rows, { initial: new Uint8Array(1024 * rows).fill(1) });
  const outcome = launch(kernel, {
    grid: [rows, 1, 1],
    block: [128, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    memory,
    instructionBudget: 1e6,
    faults: "report",
    ...(executed && { executed }),
  });
  const findings = outcome.kind === "completed" ? outcome.findings : [];
  expect([outcome.kind, [...new Set(findings.map(({ kind }) => kind))]]).toEqual(["completed", kinds]);
});
