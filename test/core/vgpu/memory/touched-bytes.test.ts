import fc from "fast-check";
import { expect, test } from "vitest";
import { TouchedBytes } from "../../../../server/core/vgpu/memory/touched-bytes";

const allocation = { name: "x", address: 0x2_0000_0000n, bytes: 1 << 16, readOnly: false };

/** All that is told of an allocation. */
function told(touched: TouchedBytes): unknown {
  const { lastThread } = touched;
  return { lastThread, read: touched.span("read"), readFirst: touched.span("readFirst") };
}

const accesses = fc.record({
  bytes: fc.constantFrom(1, 2, 4, 8, 16),
  element: fc.nat(3000),
  lanes: fc.constantFrom(1, 32),
  thread: fc.nat(1 << 20),
  isStore: fc.boolean(),
});

test("loads of lanes side by side are noted as each of them would be", () => {
  fc.assert(
    fc.property(fc.array(accesses, { maxLength: 12 }), (all) => {
      const [together, apart] = [new TouchedBytes(allocation), new TouchedBytes(allocation)];
      for (const { bytes, element, lanes, thread, isStore } of all) {
        const [offset, access] = [bytes * element, isStore ? "store" : "load"] as const;
        const each = (touched: TouchedBytes): void => {
          for (let lane = 0; lane < lanes; lane += 1)
            touched.note({ access, bytes }, offset + lane * bytes, thread + lane);
        };
        each(apart);
        if (isStore || !together.noteRun(bytes, offset, { lanes, thread })) each(together);
      }
      expect(told(together)).toEqual(told(apart));
    }),
  );
});
