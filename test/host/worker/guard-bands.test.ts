import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { encodeOrder } from "../../../server/host/worker/hardware/timed/timed-messages";
import type { TimedProcess } from "../../../server/host/worker/hardware/timed/timed-process";
import { overwrittenGuard } from "../../../server/host/worker/hardware/timed/guard-bands";
import { startLauncher } from "./virtual-runtime";

// Compilers take seconds on an idle machine and may take much longer on a busy one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

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
  const word = (value: number): { value: bigint } => ({ value: BigInt(value) });
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
