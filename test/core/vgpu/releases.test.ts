import { describe, expect, it } from "vitest";
import { Releases } from "../../../server/core/vgpu/launch/releases";

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
});
