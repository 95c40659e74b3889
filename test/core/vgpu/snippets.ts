/**
 * PTX of one kernel around a few instructions. Registers: %p0-9, %r0-31 (b32), %rd0-31 (b64), %f0-31, %d0-9
 * (f64), %h0-9 (b16).
 */
export function snippet(parameters: readonly string[], body: string, declarations = ""): string {
  const list = parameters.map((type, index) => `.param .${type} p${index}`).join(", ");
  return [
    ".version 8.7",
    ".target sm_80",
    ".address_size 64",
    '.file 1 "kernel.cu"',
    '.file 2 "header.cuh"',
    declarations,
    `.visible .entry kernel(${list})`,
    "{",
    ".reg .pred %p<10>;",
    ".reg .b32 %r<32>;",
    ".reg .b64 %rd<32>;",
    ".reg .f32 %f<32>;",
    ".reg .f64 %d<10>;",
    ".reg .b16 %h<10>;",
    body,
    "ret;",
    "}",
    "",
  ].join("\n");
}
