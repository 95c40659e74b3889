import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Releases } from "../../../../server/core/vgpu/launch/findings/releases";
import { draws } from "../../../harness/draws";

/** What a block of two warps passes on: its warp 0 up to `interval`. */
function upTo(interval: number): Parameters<Releases["release"]>[2] {
  return { known: Uint32Array.of(interval, 0), warp: 0, interval: interval + 1 };
}

/** Whether a block knows that an interval of block 0 is over. */
const asks = (releases: Releases, block: number, interval: number, synchronizing = false): boolean =>
  releases.knows({ block, other: 0, warp: 0, interval, synchronizing });

describe("what blocks know of each other", () => {
  it("comes with what was released at the location before it was acquired", () => {
    const releases = new Releases();
    releases.release(0, 64, upTo(5));
    releases.acquire(1, 64);
    releases.release(0, 64, upTo(9));
    expect([5, 6, 9].map((interval) => asks(releases, 1, interval))).toEqual([true, false, false]);
    expect([6, 7].map((interval) => asks(releases, 1, interval, true))).toEqual([true, false]);
    releases.acquire(1, 64);
    expect([9, 10].map((interval) => asks(releases, 1, interval))).toEqual([true, false]);
  });

  it("is handed on by those who acquired it, as it was when they released", () => {
    const releases = new Releases();
    releases.release(0, 64, upTo(5));
    releases.acquire(1, 64);
    releases.release(1, 128, upTo(2));
    releases.release(0, 64, upTo(8));
    releases.acquire(1, 64);
    releases.acquire(2, 128);
    expect([5, 8].map((interval) => asks(releases, 2, interval))).toEqual([true, false]);
    releases.release(1, 128, upTo(2));
    expect(asks(releases, 2, 8)).toBe(false);
    releases.acquire(2, 128);
    expect(asks(releases, 2, 8)).toBe(true);
  });

  it("stays small while threads try a lock again and again", () => {
    const releases = new Releases();
    const counters = Array.from({ length: 40 }, (_, index) => 1024 + 8 * index);
    for (const counter of counters) {
      releases.release(0, counter, upTo(3));
      for (const block of [0, 1]) releases.acquire(block, counter);
    }
    for (let turn = 0; turn < 100_000; turn += 1) {
      releases.release(turn % 2, 64, upTo(4));
      releases.acquire(turn % 2, 64);
    }
    releases.acquire(2, 64);
    const answers = Array.from({ length: 2_000 }, (_, index) => asks(releases, 2, 7 + index));
    expect(answers.filter(Boolean)).toEqual([]);
    expect(asks(releases, 2, 4)).toBe(true);
  });

  it("is kept once for all locations at which the same is known", () => {
    const releases = new Releases();
    const locations = Array.from({ length: 1024 }, (_, index) => 64 + 4 * index);
    for (let block = 0; block < 40; block += 1) {
      const release = upTo(5 + block);
      for (const location of locations) {
        releases.release(block, location, release);
        releases.acquire(block, location);
      }
    }
    // Forty leaves under three branches and a root; as much for the last block, which has released as well.
    const { nodes, ...kept } = releases.kept;
    expect(kept).toEqual({ locations: 1024 });
    expect(nodes).toBeLessThan(400);
    expect([5, 6].map((interval) => asks(releases, 39, interval))).toEqual([true, false]);
    for (let block = 0; block < 40; block += 1) releases.end(block);
    expect(releases.kept.nodes).toBe(44);
  });

  it("hands blocks on in a chain without copies", () => {
    const releases = new Releases();
    for (let block = 0; block < 5_000; block += 1) {
      if (block > 0) releases.acquire(block, 4 * block - 4);
      releases.release(block, 4 * block, upTo(1 + block));
      if (block > 0) releases.end(block - 1);
    }
    releases.acquire(5_000, 4 * 4_999);
    expect([1, 2].map((interval) => asks(releases, 5_000, interval))).toEqual([true, false]);
    expect(releases.kept.nodes).toBeLessThan(5_000 * 7);
  });

  it.each([
    { locations: 8, nodes: 1e6 },
    { locations: 1e6, nodes: 16 },
  ])("is taken for granted when there is too much to keep: %o", (limits) => {
    const releases = new Releases(limits);
    const within = Uint32Array.of(3, 0);
    releases.releaseWithin(1, 4, within);
    for (let block = 0; block < 20; block += 1) {
      expect(releases.gaveUp || !asks(releases, 99, 5)).toBe(true);
      releases.release(block, 64 + 4 * block, upTo(5));
    }
    expect(releases.gaveUp).toBe(true);
    expect(releases.kept).toEqual({ locations: 0, nodes: 0 });
    expect([releases.acquire(99, 4096), asks(releases, 99, 5), releases.withinAt(1, 8)]).toEqual([
      true,
      true,
      within,
    ]);
  });

  it("is the same as by the definition", () => {
    const numbers = [0, 1, 15, 16, 300];
    const step = fc.record({
      block: fc.constantFrom(...numbers),
      address: fc.integer({ min: 0, max: 4 }),
      isRelease: fc.boolean(),
      warp: fc.integer({ min: 0, max: 1 }),
      fences: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [releases, model] = [new Releases(), new Model()];
        const known = new Map(numbers.map((block) => [block, new Uint32Array(2)]));
        for (const [index, { block, address, isRelease, warp, fences }] of steps.entries()) {
          const last = known.get(block) ?? new Uint32Array(2);
          if (fences) known.set(block, last.with(warp, 2 * index + 1));
          const release = { known: known.get(block) ?? last, warp, interval: 2 * index + 2 };
          for (const each of [releases, model])
            if (isRelease) each.release(block, address, release);
            else each.acquire(block, address);
        }
        for (const block of numbers)
          for (const other of numbers)
            for (const warp of [0, 1])
              for (const synchronizing of [false, true]) {
                const most = model.overUpTo(block, `${other} ${warp} ${synchronizing}`);
                expect(
                  [most, most + 1].map(
                    (interval) =>
                      interval === 0 || releases.knows({ block, other, warp, interval, synchronizing }),
                  ),
                ).toEqual([true, false]);
              }
      }),
      { numRuns: draws(300) },
    );
  });
});

/** Each block and each location has a list of what is over, and everything is copied. */
class Model {
  private readonly lists = new Map<string, Map<string, number>>();

  release(
    block: number,
    address: number,
    { known, warp, interval }: Parameters<Releases["release"]>[2],
  ): void {
    const own = new Map(
      [0, 1].flatMap((each) => [
        [`${block} ${each} false`, known[each] ?? 0],
        [`${block} ${each} true`, Math.max(known[each] ?? 0, each === warp ? interval : 0)],
      ]),
    );
    for (const list of [own, this.of(`block ${block}`)]) this.add(`location ${address}`, list);
  }

  acquire(block: number, address: number): void {
    this.add(`block ${block}`, this.of(`location ${address}`));
  }

  overUpTo(block: number, what: string): number {
    return this.of(`block ${block}`).get(what) ?? 0;
  }

  private of(name: string): ReadonlyMap<string, number> {
    return this.lists.get(name) ?? new Map<string, number>();
  }

  private add(name: string, list: ReadonlyMap<string, number>): void {
    const all = new Map(this.of(name));
    for (const [what, interval] of list) all.set(what, Math.max(all.get(what) ?? 0, interval));
    this.lists.set(name, all);
  }
}
