import fc from "fast-check";
import { expect, test } from "vitest";
import { DeviceMemory, linearAddress, SpareMemory } from "../../../../server/core/vgpu/index";
import { shadowPlanes } from "../../../../server/core/vgpu/memory/device-shadow";
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

/** Bytes of an allocation whose accesses are looked at. */
const lookedAt = 1 << 20;

/** What is recorded of accesses to an allocation, without which bytes are written. */
function recordsOf(memory: DeviceMemory, address: bigint, shadow: number): readonly Uint8Array[] {
  const bytes = Math.min(lookedAt, memory.find(address)?.bytes ?? 0);
  const planes = Array.from({ length: shadowPlanes.count - 2 }, (_, index) => index + 2);
  return planes.map(
    (plane) => new Uint8Array(memory.memory.buffer, linearAddress(address) + plane * shadow, bytes),
  );
}

/**
 * Takes the steps, filling all memory that they get, and what is recorded of it, with other bytes, after both
 * were seen to be zero.
 */
function takeSteps(memory: DeviceMemory, steps: readonly Step[]): void {
  const live: bigint[] = [];
  const recent = new Set<bigint>();
  for (const each of steps) {
    if (each.kind === "allocate") {
      const address = memory.allocate("data", each.bytes);
      const bytes = memory.read(address);
      const zero = Buffer.alloc(each.bytes);
      expect([zero.equals(bytes), zero.equals(memory.writtenBytes(address))]).toEqual([true, true]);
      recent.add(address);
      memory.write(address, bytes.fill(0xa5));
      live.push(address);
    } else if (each.kind === "free") live.splice(each.index, 1).forEach((address) => memory.free(address));
    else
      memory.withScratch(each.bytes, each.tracked, ({ linear, shadow }) => {
        const from = linear + (each.tracked ? shadow : 0);
        new Uint8Array(memory.memory.buffer, from, each.bytes).fill(0x5a);
        if (!each.tracked) return;
        for (const address of live)
          for (const record of recordsOf(memory, address, shadow)) {
            if (recent.has(address)) expect(Buffer.alloc(record.length).equals(record)).toBe(true);
            record.fill(0x5a);
          }
        recent.clear();
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

test("what was recorded is gone where a larger record comes to lie", () => {
  const work = { kind: "work", bytes: 5000, tracked: true } as const;
  const sizes = [600_000, 600_000, 3_000_000, 600_000, 20_000_000, 600_000];
  takeSteps(
    new DeviceMemory(),
    sizes.flatMap((bytes) => [{ kind: "allocate", bytes } as const, work]),
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
