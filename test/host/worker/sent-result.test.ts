import { afterAll, expect, test } from "vitest";
import { received, toSend } from "../../../server/host/worker/gpu/sent-result";
import type { JobBuffer, LaunchJob } from "../../../server/host/worker/gpu/virtual-gpu";
import { JobRunner } from "../../../server/host/worker/gpu/vgpu-job";
import { virtualGpu } from "./vgpu-under-test";

const gpu = virtualGpu();
afterAll(() => gpu.close());

const words = (...values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);

/** A kernel that stores a number at the start of its second buffer. */
const storing = (value: number, first: JobBuffer, second: JobBuffer): LaunchJob => ({
  ptx: `.version 8.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 a, .param .u64 b)
{
.reg .b32 %r<2>; .reg .b64 %rd<2>;
ld.param.u64 %rd0, [b];
mov.u32 %r0, ${value};
st.global.u32 [%rd0], %r0;
ret;
}
`,
  entry: "store",
  grid: [1, 1, 1],
  block: [1, 1, 1],
  dynamicSharedBytes: 0,
  counters: false,
  detectors: false,
  arguments: [0, 1].map((buffer) => ({ kind: "pointer", buffer, offset: 0 })),
  buffers: [first, second],
});
const buffer = (bytes: Uint8Array, more: Partial<JobBuffer> = {}): JobBuffer => ({
  name: "buffer",
  bytes,
  readOnly: false,
  ...more,
});

/** What comes back of each buffer: its words, those that were sent, and the bytes that were handed over. */
test.each<{
  readonly what: string;
  readonly job: LaunchJob;
  readonly holds: readonly Uint8Array[];
  readonly sent: readonly boolean[];
  readonly handedOver: number;
}>([
  {
    what: "a buffer that is only read is not sent",
    job: storing(7, buffer(words(1, 2)), buffer(words(3, 4))),
    holds: [words(1, 2), words(7, 4)],
    sent: [false, true],
    handedOver: 8,
  },
  {
    what: "a store of what is there changes nothing",
    job: storing(3, buffer(words(1, 2)), buffer(words(3, 4))),
    holds: [words(1, 2), words(3, 4)],
    sent: [false, false],
    handedOver: 0,
  },
  {
    what: "a part of larger memory is restored as it was given",
    job: storing(7, buffer(words(9, 1, 2).subarray(4)), buffer(words(9, 3, 4).subarray(4))),
    holds: [words(1, 2), words(7, 4)],
    sent: [false, true],
    handedOver: 8,
  },
  {
    what: "bytes that repeat are sent whole",
    job: storing(7, buffer(words(1), { room: 8 }), buffer(words(3), { room: 12 })),
    holds: [words(1, 1), words(7, 3, 3)],
    sent: [true, true],
    handedOver: 20,
  },
])("$what", async ({ job, holds, sent, handedOver }) => {
  const result = await new JobRunner().run(job);
  const message = toSend(job, result);
  const plain = (contents: readonly (Uint8Array | undefined)[]): readonly (readonly number[])[] =>
    contents.map((content) => [...(content ?? [])]);
  const seen = message.sent.kind === "done" ? message.sent.buffers : [];
  expect({
    sent: seen.map((content) => content !== undefined),
    handedOver: message.handedOver.reduce((sum, { byteLength }) => sum + byteLength, 0),
    restored: received(job, message.sent),
  }).toEqual({ sent, handedOver, restored: result });
  // The same by a thread, which takes the job's bytes with it and leaves them as they are.
  const threaded = await gpu.launch(job, { signal: new AbortController().signal, limitSeconds: 60 });
  expect(threaded.kind === "done" ? plain(threaded.buffers) : threaded).toEqual(plain(holds));
});
