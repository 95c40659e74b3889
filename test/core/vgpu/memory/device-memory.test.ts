import fc from "fast-check";
import { expect, test } from "vitest";
import { DeviceMemory, SpareMemory } from "../../../../server/core/vgpu/index";
import { draws } from "../../../harness/draws";

type Step =
  | { readonly kind: "allocate"; readonly bytes: number }
  | { readonly kind: "free"; readonly index: number }
  | { readonly kind: "work"; readonly bytes: number; readonly tracked: boolean };

const size = fc.oneof(
  { weight: 6, arbitrary: fc.nat(300) },
  { weight: 6, arbitrary: fc.nat(100_000) },
  { weight: 1, arbitrary: fc.constant(140 * 1024 * 1024) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("allocate" as const), bytes: size }),
  fc.record({ kind: fc.constant("free" as const), index: fc.nat(10) }),
  fc.record({ kind: fc.constant("work" as const), bytes: fc.nat(200_000), tracked: fc.boolean() }),
);

/** Takes the steps, filling all memory that they get with ones, after it was seen to be zero. */
function takeSteps(memory: DeviceMemory, steps: readonly Step[]): void {
  const live: bigint[] = [];
  for (const each of steps) {
    if (each.kind === "allocate") {
      const address = memory.allocate("data", each.bytes);
      const bytes = memory.read(address);
      expect(Buffer.alloc(each.bytes).equals(bytes)).toBe(true);
      memory.write(address, bytes.fill(0xa5));
      live.push(address);
    } else if (each.kind === "free") live.splice(each.index, 1).forEach((address) => memory.free(address));
    else
      memory.withScratch(each.bytes, each.tracked, ({ linear, shadow }) => {
        const from = linear + (each.tracked ? shadow : 0);
        new Uint8Array(memory.memory.buffer, from, each.bytes).fill(0x5a);
      });
  }
  expect(memory.damagedGuards()).toEqual([]);
}

test("new allocations are zero, whatever used their memory before", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), fc.boolean(), (steps, isShared) =>
      takeSteps(new DeviceMemory({ shared: isShared }), steps),
    ),
    { numRuns: draws(20) },
  );
});

test("a memory that was given back is zero, and serves the next launch as a new one", () => {
  const few = fc.array(
    step.filter((each) => each.kind !== "allocate" || each.bytes < 2 ** 20),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(few, few, (before, after) => {
      const spare = new SpareMemory();
      const first = spare.take();
      takeSteps(first, before);
      spare.giveBack(first);
      const next = spare.take();
      const { buffer } = next.memory;
      expect(next.memory).toBe(first.memory);
      expect(Buffer.alloc(buffer.byteLength).equals(new Uint8Array(buffer))).toBe(true);
      takeSteps(next, after);
    }),
    { numRuns: draws(40) },
  );
});

test("a large memory is not cleared but left to the system", () => {
  const spare = new SpareMemory();
  const large = spare.take();
  large.allocate("large", 2 ** 25);
  spare.giveBack(large);
  expect(spare.take().memory).not.toBe(large.memory);
});

test("an allocation takes no memory of the machine before something is stored there", () => {
  const before = process.memoryUsage().rss;
  const memory = new DeviceMemory();
  memory.allocate("large", 2 ** 30);
  expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
});

test("contents that repeat fill an allocation to its end", () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes, initial) => {
      const memory = new DeviceMemory();
      const found = memory.read(memory.allocate("data", bytes, { initial, repeats: true }));
      expect(found).toEqual(Uint8Array.from({ length: bytes }, (_, at) => initial[at % initial.length] ?? 0));
    }),
    { numRuns: draws(40) },
  );
});
