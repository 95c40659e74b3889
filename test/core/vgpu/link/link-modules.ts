import { DeviceMemory, type LinkSource, compileKernel, linkPtx } from "../../../../server/core/vgpu/index";
import { address, run } from "../support";

export const head = ".version 8.0 .target sm_80 .address_size 64\n";
/** A device function that gives one number. */
export const gives = (linkage: string, name: string, value: number | string): string =>
  `${linkage} .func (.param .b32 r) ${name}() { .reg .b32 %r1; ${typeof value === "number" ? `mov.u32 %r1, ${value};` : `ld.global.u32 %r1, [${value}];`} st.param.b32 [r], %r1; ret; }\n`;
export const declared = (name: string): string => `.extern .func (.param .b32 r) ${name}();\n`;
export const called = (name: string, into: string): string =>
  `{ .param .b32 r0; call.uni (r0), ${name}, (); ld.param.b32 ${into}, [r0]; }`;
/** A kernel that stores what these lines leave in %r1 to %r4. */
export const kernel = (lines: string, name = "k"): string =>
  `.visible .entry ${name}(.param .u64 out) { .reg .b32 %r<9>; .reg .b64 %d<9>; ld.param.u64 %d1, [out];\n${lines}\nst.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4}; ret; }\n`;
export const zeros = "mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0;";

export const parts = (...texts: readonly string[]): readonly LinkSource[] =>
  texts.map((text, index) => ({ name: `${"abcdefgh"[index] ?? index}.cu`, ptx: head + text }));

/** What the kernel `k` of a linked program stores. Every other outcome is its message. */
export function outcomeOf(sources: readonly LinkSource[]): string {
  const linked = linkPtx(sources);
  if (!linked.ok) return linked.problem.message;
  const compiled = compileKernel(linked.value, "k", { counters: false, detectors: true });
  if (!compiled.ok) return compiled.problem.reason;
  const memory = new DeviceMemory();
  const out = memory.allocate("out", 16);
  run(compiled.value, {
    grid: [1, 1, 1],
    block: [1, 1, 1],
    dynamicSharedBytes: 64,
    arguments: [address(out)],
    memory,
  });
  return [...new Uint32Array(memory.read(out).buffer)].join(" ");
}
