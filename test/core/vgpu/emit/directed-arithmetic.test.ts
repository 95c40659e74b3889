import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import { exactArithmetic } from "../../../../server/core/vgpu/exact-arithmetic";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { exactOperations, exactRoundings } from "../../../../server/core/vgpu/library/arithmetic/floats";
import { draws } from "../../../harness/draws";
import { snippet } from "../snippets";
import { address, bytesOf, compileText, run } from "../support";

const lanes = 32;
const stride = 128;

/** Each lane's results of all operations on its three doubles and its two singles. */
function kernelText(direction: string): string {
  return snippet(
    ["u64"],
    `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, ${stride}; add.u64 %rd0, %rd0, %rd1;
     ld.global.f64 %d0, [%rd0]; ld.global.f64 %d1, [%rd0+8]; ld.global.f64 %d2, [%rd0+16];
     ld.global.f32 %f0, [%rd0+24]; ld.global.f32 %f1, [%rd0+28];
     add.${direction}.f64 %d3, %d0, %d1; st.global.f64 [%rd0+32], %d3;
     sub.${direction}.f64 %d3, %d0, %d1; st.global.f64 [%rd0+40], %d3;
     mul.${direction}.f64 %d3, %d0, %d1; st.global.f64 [%rd0+48], %d3;
     fma.${direction}.f64 %d3, %d0, %d1, %d2; st.global.f64 [%rd0+56], %d3;
     div.${direction}.f64 %d3, %d0, %d1; st.global.f64 [%rd0+64], %d3;
     sqrt.${direction}.f64 %d3, %d0; st.global.f64 [%rd0+72], %d3;
     div.${direction}.f32 %f2, %f0, %f1; st.global.f32 [%rd0+80], %f2;
     sqrt.${direction}.f32 %f2, %f0; st.global.f32 [%rd0+84], %f2;`,
  );
}

type Row = readonly [number, number, number, number, number];

const special = [0, -0, 1, -1, Infinity, -Infinity, NaN];
const single = fc.oneof(
  fc.constantFrom(...special, 1 + 2 ** -23, 1 - 2 ** -24, 2 ** -126, 2 ** -149, 2 ** 127, 3),
  fc.float(),
);
/** The edges of what is computed without the host, and neighbours of simple numbers, among them. */
const double = fc.oneof(
  fc.constantFrom(...special, 3, 1 + 2 ** -52, 1 - 2 ** -53, 2 ** -1022, 2 ** -1074, 2 ** 1023, -(2 ** 1000)),
  fc.constantFrom(2 ** -400, 2 ** 400, 2 ** -401, -(2 ** 399), 1.5 * 2 ** -400),
  fc.double(),
  fc.double({ min: -4, max: 4, noNaN: true }),
  fc.integer({ min: -9, max: 9 }),
  fc
    .bigInt({ min: 0n, max: 2n ** 64n - 1n })
    .map((bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? 0),
);
/** The third is often what makes a sum of nearly or exactly nothing. */
const row: fc.Arbitrary<Row> = fc
  .tuple(double, double, double, single, single, fc.integer({ min: 0, max: 3 }))
  .map(([a, b, c, x, y, kind]): Row => {
    if (kind === 0) return [a, -a, -(a * a), x, y];
    return [a, b, kind === 1 ? -(a * b) : c, x, y];
  });

function exactly(operation: string, direction: string, width: number, ...values: readonly number[]): number {
  const [a = 0, b = 0, c = 0] = values;
  return exactArithmetic(
    exactOperations.findIndex((name) => name === operation),
    exactRoundings.findIndex((name) => name === direction),
    width,
    ...[a, b, c],
  );
}

function expectedOf([a, b, c, x, y]: Row, direction: string): readonly number[] {
  const wide = (operation: string): number => exactly(operation, direction, 64, a, b, c);
  return [
    ...["add", "sub", "mul", "fma", "div", "sqrt"].map(wide),
    exactly("div", direction, 32, x, y),
    exactly("sqrt", direction, 32, x),
  ];
}

function execute(
  kernel: ReturnType<typeof compileText>,
  rows: readonly Row[],
): readonly (readonly number[])[] {
  const data = new DataView(new ArrayBuffer(stride * lanes));
  rows.forEach((values, lane) =>
    values.forEach((value, index) => {
      if (index < 3) data.setFloat64(stride * lane + 8 * index, value, true);
      else data.setFloat32(stride * lane + 24 + 4 * (index - 3), value, true);
    }),
  );
  const memory = new DeviceMemory();
  const buffer = memory.allocate("data", data.byteLength, { initial: bytesOf(data) });
  run(kernel, { grid: [1, 1, 1], block: [lanes, 1, 1], arguments: [address(buffer)], memory });
  const view = new DataView(memory.read(buffer).buffer);
  return rows.map((_, lane) => [
    ...[32, 40, 48, 56, 64, 72].map((at) => view.getFloat64(stride * lane + at, true)),
    ...[80, 84].map((at) => view.getFloat32(stride * lane + at, true)),
  ]);
}

suite.each([true, false])("arithmetic with directed rounding (one rounding at once: %s)", (fuses) => {
  it.each([
    { title: "rz", written: "rz", direction: "rz" },
    { title: "rm", written: "rm", direction: "rm" },
    { title: "rp", written: "rp", direction: "rp" },
    { title: "a launch that rounds up", written: "rn", direction: "rp", arithmetic: "rounded-up" as const },
    {
      title: "a launch that rounds down",
      written: "rn",
      direction: "rm",
      arithmetic: "rounded-down" as const,
    },
    { title: "rz where it rounds up", written: "rz", direction: "rz", arithmetic: "rounded-up" as const },
  ])("gives what exact numbers give: $title", ({ written, direction, arithmetic }) => {
    const kernel = compileText(kernelText(written), "kernel", { fuses, ...(arithmetic && { arithmetic }) });
    fc.assert(
      fc.property(fc.array(row, { minLength: lanes, maxLength: lanes }), (rows) => {
        const expected = rows.map((values) => expectedOf(values, direction));
        expect(execute(kernel, rows)).toEqual(expected);
      }),
      { numRuns: draws(200) },
    );
  });
});
