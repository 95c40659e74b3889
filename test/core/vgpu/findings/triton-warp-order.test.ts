import { expect, test } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

const load = "ld.global.f32 %f0, [%rd1];";
/** The other half of the 64 elements, so that another lane, or another warp, has what is stored. */
const store = "st.global.f32 [%rd2], %f0;";

/** A program of Triton's loads an element in each thread and stores another one, in some order. */
function program(step: number, ...body: readonly string[]): string {
  return snippet(
    ["u64"],
    `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.f32 %f0, 0f3F800000;
     mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;
     xor.b32 %r1, %r0, ${step}; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd0, %rd2;
     ${body.join("\n")}`,
  );
}

test.each([
  {
    title: "what another lane of the warp has read may be written",
    text: program(1, load, store),
    kinds: [],
  },
  {
    title: "what another lane of the warp has written is not read yet",
    text: program(1, store, load),
    kinds: ["global-race"],
  },
  {
    title: "what another warp may have to read yet is not written",
    text: program(32, load, store),
    kinds: ["global-race"],
  },
  {
    title: "what another warp has written is not read yet",
    text: program(32, store, load),
    kinds: ["global-race"],
  },
])("within a program of Triton's $title", ({ text, kinds }) => {
  const kernel = compileText(text, "kernel", { detectors: true, triton: true });
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 256, { initial: new Uint8Array(256).map((_, index) => index) });
  const outcome = launch(kernel, {
    ...{ grid: [1, 1, 1], block: [64, 1, 1], dynamicSharedBytes: 0 },
    ...{ arguments: [address(data)], memory, instructionBudget: 1e6, faults: "report" },
  });
  const findings = outcome.kind === "completed" ? outcome.findings : [];
  expect([outcome.kind, [...new Set(findings.map(({ kind }) => kind))]]).toEqual(["completed", kinds]);
});
