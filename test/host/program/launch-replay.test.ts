import { expect, test } from "vitest";
import { launch } from "../../../server/core/vgpu/index";
import type { ImageObject } from "../../../server/core/vgpu/memory/images";
import { DeviceStore } from "../../../server/host/program/device/device-store";
import { LaunchReplay } from "../../../server/host/program/device/repeats/launch-replay";
import { Refetches } from "../../../server/host/program/service/refetches";
import { Transfers } from "../../../server/host/program/service/transfers";
import { snippet } from "../../core/vgpu/snippets";
import { address, compileText } from "../../core/vgpu/support";

const words = 32;
const start = `ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd0, %rd2; add.s64 %rd4, %rd1, %rd2;`;

/** What a kernel does with its two arrays; each lane has an element of each, at rd3 and rd4. */
const bodies = {
  copies: "ld.global.u32 %r1, [%rd3]; add.u32 %r1, %r1, 5; st.global.u32 [%rd4], %r1;",
  doubles: "ld.global.u32 %r1, [%rd3]; add.u32 %r1, %r1, %r1; st.global.u32 [%rd3], %r1;",
  clears: "st.global.u32 [%rd4], 0;",
  adds: "red.global.add.u32 [%rd1], %r0;",
  follows: "ld.global.u64 %rd5, [%rd0]; st.global.u32 [%rd5], 7;",
  fetches: `mov.u64 %rd5, 1; tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd5, {%r0}]; st.global.u32 [%rd4], %r1;`,
  reads: "mov.u32 %r1, %clock; st.global.u32 [%rd4], 1;",
} as const;
type Name = keyof typeof bodies;

const kernels = Object.fromEntries(
  Object.entries(bodies).map(([name, body]) => [
    name,
    compileText(snippet(["u64", "u64"], `${start}\n${body}`), "kernel"),
  ]),
) as Record<Name, ReturnType<typeof compileText>>;

function textureOf(address: bigint): ImageObject {
  const rows = { width: words, height: 1, depth: 1, pitch: 4 * words, slice: 4 * words };
  return {
    image: { geometry: "linear", address, ...rows, channels: 1, bits: 32, format: "unsigned" },
    sampler: {
      addressing: ["clamp", "clamp", "clamp"],
      border: [0, 0, 0, 0],
      ...{ isLinear: false, isNormalized: false, readsNormalized: false, isSrgb: false },
    },
  };
}

/** Two arrays of device memory, and launches on them that are replayed or not. */
class Bench {
  readonly store = new DeviceStore(undefined);
  readonly arrays: readonly bigint[];
  runs = 0;
  private readonly replay = new LaunchReplay(this.store);

  constructor(private readonly isReplayed: boolean) {
    this.arrays = ["a", "b", "c"].map((name) => {
      const made = this.store.allocate(4 * words, name, "");
      if (!made.ok) throw new Error(made.problem.message);
      return made.value;
    });
    this.write(0, 1);
    this.write(1, 2);
    this.store.memory.images.create(textureOf(this.arrays[0] ?? 0n));
  }

  write(index: number, value: number): void {
    const filled = new Uint32Array(words).fill(value);
    this.store.memory.write(this.arrays[index] ?? 0n, new Uint8Array(filled.buffer));
  }

  launch(name: Name, from = 0, to = 1): void {
    const pointers = [this.arrays[from] ?? 0n, this.arrays[to] ?? 0n];
    const run = () => {
      this.runs += 1;
      return launch(kernels[name], {
        grid: [1, 1, 1],
        block: [words, 1, 1],
        dynamicSharedBytes: 0,
        arguments: pointers.map(address),
        memory: this.store.memory,
        instructionBudget: 1e6,
        tellsTouched: true,
      });
    };
    this.replay.follow();
    if (this.isReplayed) this.replay.launch(`${name} ${pointers.join(" ")}`, kernels[name], run);
    else run();
  }

  contents(): readonly number[] {
    return this.arrays.flatMap((each) => [...new Uint32Array(this.store.memory.read(each).buffer)]);
  }
}

test.each<readonly [string, number, (bench: Bench) => void]>([
  ["a kernel whose output is none of its inputs", 1, (bench) => bench.launch("copies")],
  ["a kernel that fetches from a texture", 2, (bench) => bench.launch("fetches")],
  ["a kernel that works in place", 20, (bench) => bench.launch("doubles")],
  ["sums that grow", 20, (bench) => bench.launch("adds")],
  [
    "a kernel beside one whose sums grow",
    21,
    (bench) => {
      bench.launch("copies", 0, 2);
      bench.launch("adds");
    },
  ],
  [
    "a kernel that reads what the host has changed",
    20,
    (bench) => {
      bench.write(0, bench.runs);
      bench.launch("copies");
    },
  ],
  [
    "two kernels that write to one array in turn",
    4,
    (bench) => {
      bench.launch("copies");
      bench.launch("clears");
    },
  ],
  [
    "sums that are cleared by the host",
    2,
    (bench) => {
      bench.write(1, 0);
      bench.launch("adds");
    },
  ],
  [
    "a pass that works in place on what another made",
    4,
    (bench) => {
      bench.launch("copies");
      bench.launch("doubles", 1, 0);
    },
  ],
  ["a kernel that reads the clock", 20, (bench) => bench.launch("reads")],
])("of twenty rounds, %s: %i launches are run", (_, runs, round) => {
  const [replayed, plain] = [new Bench(true), new Bench(false)];
  for (let count = 0; count < 20; count += 1) {
    round(replayed);
    round(plain);
    expect(replayed.contents()).toEqual(plain.contents());
  }
  expect(replayed.runs).toBe(runs);
});

test("random launches and writes leave the same with replay and without", () => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 16) % below;
  };
  const names = ["copies", "doubles", "clears", "adds"] as const;
  const [replayed, plain] = [new Bench(true), new Bench(false)];
  for (let step = 0; step < 400; step += 1) {
    const [index, value, name] = [next(2), next(3), names[next(names.length)] ?? "copies"];
    const isWrite = next(6) === 0;
    for (const bench of [replayed, plain]) {
      if (isWrite) bench.write(index, value);
      else bench.launch(name, index, 1 - index);
    }
    expect(replayed.contents()).toEqual(plain.contents());
  }
  expect(replayed.runs).toBeLessThan(plain.runs);
});

test("memory that is reached through memory is part of what a launch depends on", () => {
  const bench = new Bench(true);
  const other = bench.store.allocate(4, "other", "");
  if (!other.ok) throw new Error(other.problem.message);
  const first = bench.arrays[0] ?? 0n;
  bench.store.memory.write(first, new Uint8Array(BigUint64Array.of(other.value).buffer));
  for (let count = 0; count < 4; count += 1) bench.launch("follows");
  bench.store.memory.write(other.value, new Uint8Array(4));
  bench.launch("follows");
  expect([bench.runs, ...bench.store.memory.read(other.value)]).toEqual([2, 7, 0, 0, 0]);
});

test("only what a launch touches is compared: sums are cleared beside others that grow", () => {
  const [bench, plain] = [new Bench(true), new Bench(false)];
  for (let count = 0; count < 10; count += 1)
    for (const each of [bench, plain]) {
      each.write(1, 0);
      each.launch("adds");
      each.launch("adds", 0, 2);
    }
  expect(bench.contents()).toEqual(plain.contents());
  expect(bench.runs).toBe(12);
});

test("a launch that comes to other arrays than before depends on these too", () => {
  const [bench, plain] = [new Bench(true), new Bench(false)];
  for (let count = 0; count < 12; count += 1)
    for (const each of [bench, plain]) {
      const target = each.arrays[1 + (count % 2)] ?? 0n;
      each.store.memory.write(each.arrays[0] ?? 0n, new Uint8Array(BigUint64Array.of(target).buffer));
      each.write(1 + (count % 2), count % 3);
      each.launch("follows");
    }
  expect(bench.contents()).toEqual(plain.contents());
  expect(bench.runs).toBeLessThan(12);
});

test("a launch on an array that was freed, and made anew elsewhere and there, is run again", () => {
  const bench = new Bench(true);
  const bytes = new Uint8Array(4 * words).fill(9);
  const { memory } = bench.store;
  for (let count = 0; count < 3; count += 1) bench.launch("copies");
  expect(bench.runs).toBe(1);
  memory.free(bench.arrays[1] ?? 0n);
  bench.launch("copies");
  expect(bench.runs).toBe(2);
  memory.write(bench.arrays[0] ?? 0n, bytes);
  bench.launch("copies");
  expect(bench.runs).toBe(3);
});

test("a texture object that is gone is not replayed", () => {
  const bench = new Bench(true);
  for (let count = 0; count < 4; count += 1) bench.launch("fetches");
  bench.store.memory.images.destroy(1);
  bench.launch("fetches");
  expect(bench.runs).toBe(3);
});

test("what the host stores anew is a change only where other bytes stand", () => {
  const store = new DeviceStore(undefined);
  const made = store.allocate(4 * words, "a", "");
  if (!made.ok) throw new Error(made.problem.message);
  const transfers = new Transfers(store);
  const whole = { address: made.value, pitch: 16, width: 16, height: 8 };
  const steps: readonly (readonly [string, () => unknown, boolean])[] = [
    ["zeros in fresh memory", () => transfers.fill(whole, 0, 1, ""), false],
    ["words", () => transfers.fill(whole, 0x01020304, 4, ""), true],
    ["the same words", () => transfers.fill(whole, 0x01020304, 4, ""), false],
    ["their lowest byte", () => transfers.fill(whole, 0x01020304, 1, ""), true],
    ["one byte of a row", () => transfers.write({ ...whole, height: 1 }, 7, Uint8Array.of(9), ""), true],
    ["the same byte", () => transfers.write({ ...whole, height: 1 }, 7, Uint8Array.of(9), ""), false],
    ["nothing", () => transfers.fill({ ...whole, width: 0 }, 5, 1, ""), true],
    ["the byte under it", () => transfers.fill(whole, 4, 1, ""), true],
  ];
  const seen = steps.map(([title, act]) => {
    store.memory.changed.clear();
    act();
    return [title, store.memory.changed.size > 0];
  });
  expect(seen).toEqual(steps.map(([title, , isChange]) => [title, isChange]));
  expect([...store.memory.read(made.value)]).toEqual(Array.from({ length: 4 * words }, () => 4));
});

test("bytes are handed out again only where they may be others", () => {
  const bench = new Bench(true);
  const refetches = new Refetches(bench.store, new Transfers(bench.store));
  const refetch = (index: number): number => {
    const bytes = 4 * words;
    const target = { address: bench.arrays[index] ?? 0n, pitch: bytes, width: bytes, height: 1 };
    const got = refetches.fetch(target, "");
    return got.ok ? got.value.byteLength : -1;
  };
  const steps: readonly (readonly [string, () => void, readonly [number, number]])[] = [
    ["nothing yet", () => undefined, [128, 128]],
    ["nothing", () => undefined, [0, 0]],
    ["a write to the second", () => bench.write(1, 9), [0, 128]],
    ["a launch", () => bench.launch("copies"), [128, 128]],
    ["one that is known to change nothing", () => bench.launch("copies"), [0, 0]],
    ["one that is known to change the second", () => (bench.write(1, 2), bench.launch("copies")), [128, 128]],
    ["the same again", () => (bench.write(1, 2), bench.launch("copies")), [0, 128]],
  ];
  const seen = steps.map(([title, act]) => {
    act();
    return [title, [refetch(0), refetch(1)]];
  });
  expect(seen).toEqual(steps.map(([title, , lengths]) => [title, lengths]));
});
