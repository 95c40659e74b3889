import { expect, test } from "vitest";
import { parsePtx } from "../../../../server/core/vgpu/index";

const ptx = `.version 8.4
.target sm_80
.address_size 64
.file 1 "load.py"
.visible .entry load(.param .u64 load_param_0)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  .loc 1 13 9
  ld.param.u64 %rd1, [load_param_0];
  // begin inline asm
  .loc 1 13 9
  mov.u32 %r1, 0x0;
  .loc 1 14 9
  mov.u32 %r2, 0x0;
  ld.global.v2.b32 { %r1, %r2 }, [ %rd1 + 0 ];
  // end inline asm
  .loc 1 15 9
  ret;
}
`;

test("instructions of inline assembly belong to the line of the statement, not to the lines of the assembly text", () => {
  const parsed = parsePtx(ptx);
  expect(parsed.ok && parsed.value.locations.map((location) => location.line)).toEqual([13, 15]);
});
