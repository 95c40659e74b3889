import { expect, test } from "vitest";
import { proveKernel } from "../../../server/core/proof/report";
import { parsePtx } from "../../../server/core/vgpu/index";

/** `s[w * x] = y[x]; …; y[x] = s[63 - x]` over 64 floats, in rounds of a loop where there is one. */
function exchange({ between, behind, width = 4 }: Exchange): string {
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 y, .param .u32 n) {
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .f32 %f<8>;
.shared .align 4 .b8 s[256];
ld.param.u64 %rd1, [y];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, s;
mad.lo.s32 %r4, %r2, ${width}, %r3;
mad.lo.s32 %r5, %r2, -4, %r3;
mul.wide.s32 %rd2, %r2, 4;
add.s64 %rd3, %rd1, %rd2;
mov.u32 %r6, 0;
LOOP:
st.shared.u32 [%r4], %r6;
${between}
ld.shared.u32 %r7, [%r5+252];
st.global.u32 [%rd3], %r7;
${behind}
add.s32 %r6, %r6, 1;
setp.lt.s32 %p1, %r6, %r1;
@%p1 bra LOOP;
ret;
}
`;
}

interface Exchange {
  readonly between: string;
  readonly behind: string;
  readonly width?: number;
  readonly block?: readonly number[];
}

const barrier = "bar.sync 0;";
const product =
  "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd1, 1, 1, 1, 0, 0;";
const divided = `setp.gt.s32 %p2, %r2, 7;\n@%p2 bra OVER;\n${barrier}\nOVER:`;

test.each([
  ["barriers on both sides", { between: barrier, behind: barrier }, "proved"],
  ["a product that reads", { between: `${barrier}\n${product}`, behind: barrier }, "not-decided"],
  ["no barrier behind", { between: barrier, behind: "" }, "not-decided"],
  ["no barrier between", { between: "", behind: barrier }, "not-decided"],
  ["two threads at a place", { between: barrier, behind: barrier, width: 0 }, "not-decided"],
  ["places that overlap", { between: barrier, behind: barrier, width: 2 }, "not-decided"],
  [
    "rows of threads at the same places",
    { between: barrier, behind: barrier, block: [64, 2] },
    "not-decided",
  ],
  ["a barrier that not all reach", { between: barrier, behind: divided }, "not-decided"],
  ["a barrier of a part of the block", { between: "bar.sync 0, 32;", behind: barrier }, "not-decided"],
] as const)("%s", (_, made: Exchange, outcome) => {
  const module = parsePtx(exchange(made));
  expect(module.ok).toBe(true);
  if (!module.ok) return;
  const { proof } = proveKernel(module.value, "k", {
    spec: {
      kernel: "k",
      inputs: {},
      outputs: { y: { dtype: "int32", shape: [64] } },
      shapes: [{ sizes: { n: 1 } }],
      run: { kind: "launch", launch: { arguments: ["y", { value: "n", dtype: "int32" }] } },
    },
    block: made.block ?? [64],
    grid: [1],
  });
  expect(proof.answers.find(({ question }) => question === "race-free")?.outcome).toBe(outcome);
});
