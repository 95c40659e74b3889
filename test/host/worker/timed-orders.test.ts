import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeOrder, type TimedOrder } from "../../../server/host/worker/hardware/timed/timed-messages";
import type { TimedProcess } from "../../../server/host/worker/hardware/timed/timed-process";
import { overwrittenGuard } from "../../../server/host/worker/hardware/timed/guard-bands";
import { startLauncher } from "./virtual-runtime";
import { python, workerFolder } from "./worker-under-test";

/** Stores a word of 7 so many bytes from the start of its buffer. */
const storing = `.version 8.0
.target sm_80
.address_size 64
.visible .entry storing(.param .u64 to, .param .u64 bytes) {
  .reg .b64 %address, %offset;
  ld.param.u64 %address, [to];
  ld.param.u64 %offset, [bytes];
  cvta.to.global.u64 %address, %address;
  add.s64 %address, %address, %offset;
  st.global.u32 [%address], 7;
  ret;
}
`;
const limits = { limitSeconds: 60, signal: new AbortController().signal };
const first = { name: "x", bytes: 20, isOutput: false };
const second = { name: "y", bytes: 16, isOutput: true };

let launcher: TimedProcess;
beforeAll(async () => {
  launcher = await startLauncher();
  const loaded = await launcher.load("storing", new TextEncoder().encode(storing), limits);
  expect(loaded).toMatchObject({ kind: "returned" });
});
afterAll(() => launcher.close());

const inside = Buffer.alloc(16);
inside[12] = 7;

test.each([
  { what: "inside", buffer: 1, offset: 12, said: { kind: "returned", outputs: [[inside], [inside]] } },
  { what: "right behind the end", buffer: 1, offset: 16, said: { kind: "outside", message: "1 16" } },
  {
    what: "behind the last element of an odd size",
    ...{ buffer: 0, offset: 20, said: { kind: "outside", message: "0 20" } },
  },
  {
    what: "at the end of the guard",
    ...{ buffer: 1, offset: 16 + 4092, said: { kind: "outside", message: "1 4108" } },
  },
  // A word of 7 has its lowest byte first, and three of zeros behind that.
  { what: "before the start", buffer: 0, offset: -4, said: { kind: "outside", message: "0 -1" } },
])("a store $what of a buffer", async ({ buffer, offset, said }) => {
  const contents = [new Uint8Array(first.bytes), new Uint8Array(second.bytes)];
  const reply = await launcher.run(
    {
      ...{ cold: true, lead: 0, guard: { bytes: 4096, value: 90 }, buffers: [first, second] },
      words: [...[1, 1, 1, 1, 1, 1, 0, 2, 8].map(word), ...[{ buffer, value: 0n }, word(8), word(offset)]],
      calls: [0, 1].map((set) => ({ set, contents })),
    },
    limits,
  );
  expect(reply).toMatchObject(said);
});

const word = (value: number): { value: bigint } => ({ value: BigInt(value) });
/** A launch of one thread that stores a word of 7 at the start of its second buffer. */
const storesThere = [...[1, 1, 1, 1, 1, 1, 0, 2, 8].map(word), { buffer: 1, value: 0n }, word(8), word(0)];
const seed = 0x0000_0009_8000_0005n;
const elements = 16;
const poolOf = (width: number): Uint8Array =>
  Uint8Array.from({ length: elements * width }, (_, at) => 7 * at);

/** What the oracle draws. */
function drawnByOracle(width: number, count: number, mask: number): Buffer {
  const code = `import sys
sys.path.insert(0, ${JSON.stringify(workerFolder)})
from kernelwright_worker.oracle.pools import drawn
pool = bytes(7 * each % 256 for each in range(${elements * width}))
sys.stdout.buffer.write(drawn(pool, ${width}, ${count}, (${Number(seed & 0xffff_ffffn)}, ${Number(seed >> 32n)}, ${mask})))`;
  return execFileSync(python, ["-c", code], { maxBuffer: 2 ** 24 });
}

function ordered(
  buffers: TimedOrder["buffers"],
  calls: TimedOrder["calls"],
  words: TimedOrder["words"] = storesThere,
): TimedOrder {
  return { cold: true, lead: 0, guard: { bytes: 4096, value: 90 }, buffers, words, calls, keeps: true };
}

test.each([
  { width: 1, count: 33, mask: 0, by: "the host" },
  { width: 2, count: 33, mask: 3, by: "the host" },
  { width: 4, count: 33, mask: 255, by: "the host" },
  { width: 8, count: 33, mask: 65535, by: "the host" },
  { width: 1, count: 40_003, mask: 0, by: "the GPU" },
  { width: 2, count: 20_001, mask: 3, by: "the GPU" },
  { width: 4, count: 10_001, mask: 255, by: "the GPU" },
  { width: 8, count: 5_001, mask: 65535, by: "the GPU" },
])("$by draws $count elements of $width bytes as the oracle does", async ({ width, count, mask }) => {
  const bytes = width * count;
  expect(await launcher.pools([{ width, content: poolOf(width) }], limits)).toMatchObject({
    kind: "returned",
  });
  const buffers = [
    { bytes, isOutput: true },
    { bytes: 16, isOutput: false },
    { bytes, isOutput: true },
  ];
  const contents = [
    { kind: "drawn", pool: 0, seed, mask },
    new Uint8Array(16),
    { kind: "repeated", pattern: 0x0807_0605_0403_0201n },
  ] as const;
  const order = ordered(buffers, [{ set: 0, contents }]);
  expect(await launcher.run(order, limits)).toMatchObject({ kind: "returned", outputs: [] });
  const given = await launcher.give(order, 0, limits);
  const repeated = Buffer.alloc(bytes, Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]));
  expect(given).toMatchObject({
    kind: "returned",
    outputs: [[drawnByOracle(width, count, mask), repeated]],
  });
});

test.each([1, 2, 4, 8])(
  "the kernel that Python draws elements of %i bytes with does so too",
  async (width) => {
    const code = `import sys
sys.path.insert(0, ${JSON.stringify(workerFolder)})
from kernelwright_worker.timed.contents import kernels
sys.stdout.write(kernels())`;
    const drawing = await startLauncher();
    const count = 777;
    const mask = 3;
    try {
      const loaded = await drawing.load(`draw_${width}`, execFileSync(python, ["-c", code]), limits);
      expect(loaded).toMatchObject({ kind: "returned" });
      const buffers = [
        { bytes: width * count, isOutput: true },
        { bytes: width * elements, isOutput: false },
      ];
      const scalars = [elements - 1, Number(seed & 0xffff_ffffn), Number(seed >> 32n), mask];
      const words = [
        ...[2, 1, 1, 256, 1, 1, 0, 7].map(word),
        ...[word(8), { buffer: 0, value: 0n }, word(8), word(count), word(8), { buffer: 1, value: 0n }],
        ...scalars.flatMap((value) => [word(4), word(value)]),
      ];
      const contents = [new Uint8Array(width * count), poolOf(width)];
      const order = ordered(buffers, [{ set: 0, contents }], words);
      expect(await drawing.run({ ...order, keeps: false }, limits)).toMatchObject({
        kind: "returned",
        outputs: [[drawnByOracle(width, count, mask)]],
      });
    } finally {
      await drawing.close();
    }
  },
);

test("outputs that are kept are those of the call that is asked for", async () => {
  const buffers = [
    { bytes: 16, isOutput: false },
    { bytes: 16, isOutput: true },
  ];
  const calls = [1, 2, 3].map((value, set) => ({
    set,
    contents: [new Uint8Array(16), new Uint8Array(16).fill(value)],
  }));
  const order = ordered(buffers, calls);
  expect(await launcher.run(order, limits)).toMatchObject({ kind: "returned", outputs: [] });
  for (const [call, value] of [
    [2, 3],
    [0, 1],
  ] as const) {
    const left = Buffer.alloc(16, value);
    left.writeUInt32LE(7);
    expect(await launcher.give(order, call, limits)).toMatchObject({ kind: "returned", outputs: [[left]] });
  }
});

test("an order says how much memory is guarded, and by which value", () => {
  const order = {
    cold: false,
    lead: 0,
    guard: { bytes: 4096, value: 90 },
    buffers: [],
    words: [],
    calls: [],
  };
  const [head = new Uint8Array()] = encodeOrder(order);
  expect([...new BigUint64Array(head.slice().buffer)]).toEqual([1n, 0n, 0n, 0n, 0n, 0n, 4096n, 90n]);
});

test.each([
  ["1 16", "on the GPU: byte 16 of y, which has 16, was written"],
  ["0 -1", "on the GPU: byte -1 of x, which has 20, was written"],
  ["2 0", "on the GPU: memory beside a buffer was written"],
  ["what a candidate says", "on the GPU: memory beside a buffer was written"],
])("what the process says, %j, is told in words", (message, told) => {
  const call = { buffers: [first, second], words: [], contents: [], outputs: [] };
  expect(overwrittenGuard(call, message)).toEqual({
    kind: "did-not-run",
    reason: told,
    findings: [{ kind: "guard-overwritten", file: "", line: 0, message: told }],
  });
});
