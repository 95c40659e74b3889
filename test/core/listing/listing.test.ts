import { expect, test } from "vitest";
import {
  type CodeRow,
  lineIn,
  listRows,
  machineRows,
  ptxRows,
  tritonRows,
} from "../../../server/core/listing";
import { readFixture } from "../cubin/fixtures";

const ptx = `
.func (.param .b32 result) helper(.param .b32 x)
{
\t.loc 1 2 3
\tmov.u32 %r1, 1;
}
.visible .entry other(.param .u64 p)
{
\t.loc 1 5 3
\tmov.u32 %r9, 9;
\tret;
}
\t// .globl\tadd
.visible .entry add(
\t.param .u64 add_param_0
)
.maxntid 128
{
\t.reg .b32 %r<9>;
\t.loc\t1 10 5
\tmov.u32 \t%r1, %tid.x;
$L__tmp0:
\t.loc\t2 3 9, function_name $L__info_string0, inlined_at 1 10 5
\tadd.s32 \t%r2, %r1, 1;
$L__BB0_1:
\t.loc\t2 7 1, function_name $L__info_string1, inlined_at 2 3 9
\tbra $L__BB0_1;
\t.loc\t1 11 1
\t// begin inline asm
\t.loc\t1 14 1
\tld.global.b32 { %r3 }, [ %rd1 + 0 ];
\t// end inline asm
\tret;
}
\t.file\t1 "/tmp/build/src/add.cu"
\t.file\t2 "src/add.h"
\t.section\t.debug_info
`;

const told = (rows: readonly CodeRow[]): readonly string[] =>
  rows.map(
    ({ text, places }) => `${text} | ${places.map(({ file, line }) => `${file}:${line}`).join(" < ")}`,
  );

test("PTX of one kernel, with the lines of inlined calls and of inline assembly", () => {
  expect(told(ptxRows(ptx, "add"))).toEqual([
    "mov.u32 %r1, 1; | /tmp/build/src/add.cu:2",
    "mov.u32  %r1, %tid.x; | /tmp/build/src/add.cu:10",
    "add.s32  %r2, %r1, 1; | src/add.h:3 < /tmp/build/src/add.cu:10",
    "$L__BB0_1: | src/add.h:3 < /tmp/build/src/add.cu:10",
    "bra $L__BB0_1; | src/add.h:7 < src/add.h:3 < /tmp/build/src/add.cu:10",
    "ld.global.b32 { %r3 }, [ %rd1 + 0 ]; | /tmp/build/src/add.cu:11",
    "ret; | /tmp/build/src/add.cu:11",
  ]);
});

const ir = `#blocked = #ttg.blocked<{order = [0]}>
#loc = loc("/tmp/x/k.py":3:1)
module {
  tt.func public @k(%n: i32 loc("n"(#loc))) {
    %0 = tt.load %p : tensor<128xf32, #blocked> loc(#loc4)
    %r = scf.for %i = %a to %b step %c : i32 {
      %1 = arith.mulf %0, %0 : f32 loc(#loc3)
    } loc(#loc1)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("/tmp/x/k.py":5:9)
#loc2 = loc("/tmp/x/lib.py":2:9)
#loc3 = loc(callsite(#loc2 at #loc1))
#loc4 = loc("x"(#loc5))
#loc5 = loc("/tmp/x/k.py":4:9)
#loc6 = loc(#loc6)
`;

test("Triton's operations, regions with the line of their end", () => {
  expect(told(tritonRows(ir))).toEqual([
    "#blocked = #ttg.blocked<{order = [0]}> | ",
    "module { | /tmp/x/k.py:3",
    '  tt.func public @k(%n: i32 loc("n"(#loc))) { | /tmp/x/k.py:3',
    "    %0 = tt.load %p : tensor<128xf32, #blocked> | /tmp/x/k.py:4",
    "    %r = scf.for %i = %a to %b step %c : i32 { | /tmp/x/k.py:5",
    "      %1 = arith.mulf %0, %0 : f32 | /tmp/x/lib.py:2 < /tmp/x/k.py:5",
    "    } | /tmp/x/k.py:5",
    "  } | /tmp/x/k.py:3",
    "} | /tmp/x/k.py:3",
  ]);
});

test("machine code says guards, widths, jumps and the schedule", () => {
  const rows = machineRows(readFixture("triton.sm_80"), "softmax_kernel");
  expect(rows.ok ? rows.value.slice(2, 8).map(({ text }) => text) : rows.problem).toEqual([
    "0020 ISETP, stalls 13",
    "0030 @!P0 EXIT, stalls 5",
    "0040 S2R, result by B0",
    "0050 HFMA2",
    "0060 IMAD",
    "0070 ULDC, 8 bytes a lane",
  ]);
});

test("a range in the order of the code, within bounds", () => {
  const rows = ptxRows(ptx, "add");
  const range = { file: "src/add.cu", first: 10, last: 11 };
  const heading = (line: number, isFirst: boolean): string => `${line}:${isFirst ? " first" : ""}`;
  expect(rows.map((row) => lineIn(row, { file: "src/add.h", first: 3, last: 3 }))).toContain(3);
  expect(listRows(rows, range, heading, { rows: 5, characters: 500 })).toEqual({
    text: [
      "10: first",
      "  mov.u32  %r1, %tid.x;",
      "  add.s32  %r2, %r1, 1;",
      "  $L__BB0_1:",
      "  bra $L__BB0_1;",
      "11: first",
      "  ld.global.b32 { %r3 }, [ %rd1 + 0 ];",
    ].join("\n"),
    rows: 6,
    shown: 5,
  });
  expect(listRows(rows, range, heading, { rows: 5, characters: 40 })).toMatchObject({ rows: 6, shown: 1 });
});
