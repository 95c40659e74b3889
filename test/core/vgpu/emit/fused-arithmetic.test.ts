import fc from "fast-check";
import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, bytesOf, compileText, run } from "../support";
import { draws } from "../../../harness/draws";

const lanes = 32;

/** Each lane's a * b + c in both precisions, from 24 bytes of its own to 16. */
const text = snippet(
  ["u64"],
  `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 64; add.u64 %rd0, %rd0, %rd1;
   ld.global.f64 %d0, [%rd0]; ld.global.f64 %d1, [%rd0+8]; ld.global.f64 %d2, [%rd0+16];
   fma.rn.f64 %d3, %d0, %d1, %d2; st.global.f64 [%rd0+40], %d3;
   ld.global.f32 %f0, [%rd0+24]; ld.global.f32 %f1, [%rd0+28]; ld.global.f32 %f2, [%rd0+32];
   fma.rn.f32 %f3, %f0, %f1, %f2; st.global.f32 [%rd0+48], %f3;
   fma.rn.ftz.sat.f32 %f3, %f1, %f2, %f0; st.global.f32 [%rd0+52], %f3;`,
);
const [atOnce, emulated] = [true, false].map((fuses) => compileText(text, "kernel", { fuses }));

/** Among them numbers whose products and sums need a look: half units, subnormals, infinities, NaNs. */
const single = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    1 + 2 ** -23,
    1 - 2 ** -24,
    2 ** -126,
    2 ** -149,
    2 ** 127,
    Infinity,
    -Infinity,
  ),
  fc.float(),
);
const double = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    1 + 2 ** -52,
    1 - 2 ** -53,
    2 ** -1022,
    2 ** -1074,
    2 ** 1023,
    Infinity,
    -Infinity,
  ),
  fc.double(),
  fc
    .bigInt({ min: 0n, max: 2n ** 64n - 1n })
    .map((bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? 0),
);

/** Doubles as numbers, since which of two NaNs they are is the host's choice, and singles as bits. */
function execute(kernel: ReturnType<typeof compileText> | undefined, data: Uint8Array): unknown {
  const memory = new DeviceMemory();
  const buffer = memory.allocate("data", data.byteLength, { initial: data });
  if (kernel) run(kernel, { grid: [1, 1, 1], block: [lanes, 1, 1], arguments: [address(buffer)], memory });
  const view = new DataView(memory.read(buffer).buffer);
  return Array.from({ length: lanes }, (_, lane) => [
    view.getFloat64(64 * lane + 40, true),
    view.getUint32(64 * lane + 48, true),
    view.getUint32(64 * lane + 52, true),
  ]);
}

suite("multiply-add with one rounding", () => {
  it("gives the same bits by the processor's instruction and by plain ones", () => {
    const rows = fc.array(fc.tuple(double, double, double, single, single, single), {
      minLength: lanes,
      maxLength: lanes,
    });
    fc.assert(
      fc.property(rows, (list) => {
        const data = new DataView(new ArrayBuffer(64 * lanes));
        list.forEach((row, lane) =>
          row.forEach((value, index) => {
            if (index < 3) data.setFloat64(64 * lane + 8 * index, value, true);
            else data.setFloat32(64 * lane + 24 + 4 * (index - 3), value, true);
          }),
        );
        expect(execute(atOnce, bytesOf(data))).toEqual(execute(emulated, bytesOf(data)));
      }),
      { numRuns: draws(200) },
    );
  });
});
