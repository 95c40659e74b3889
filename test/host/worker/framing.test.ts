import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encodeMessage,
  MessageDecoder,
  type WorkerMessage,
} from "../../../server/host/worker/transport/framing";
import { draws } from "../../harness/draws";

const messages = fc.array(
  fc.record({
    header: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue()),
    frames: fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 }),
  }),
  { maxLength: 5 },
);

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

test("whatever the stream is cut into, the same messages come out", () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat(5000), { maxLength: 20 }), (sent, places) => {
      const plain = sent.map(({ header, frames }) => ({
        header: Object.fromEntries(Object.entries(header).filter(([name]) => name !== "frames")),
        frames,
      }));
      const bytes = Buffer.concat(
        plain.flatMap(({ header, frames }) =>
          encodeMessage(JSON.parse(JSON.stringify(header)) as Record<string, never>, frames),
        ),
      );
      const decoder = new MessageDecoder();
      const received: WorkerMessage[] = cut(bytes, places).flatMap((chunk) => decoder.push(chunk));
      expect(decoder.idle).toBe(true);
      expect(received).toEqual(
        plain.map(({ header, frames }) => ({
          header: {
            ...(JSON.parse(JSON.stringify(header)) as object),
            frames: frames.map((frame) => frame.length),
          },
          frames: frames.map((frame) => new Uint8Array(frame)),
        })),
      );
    }),
    { numRuns: draws(300) },
  );
});

test("what is no message is a clear error, never a message", () => {
  const refused = [
    "hello\n",
    "[]\n",
    "3\n",
    '{"frames":[-1]}\n',
    '{"frames":[1.5]}\n',
    '{"frames":"x"}\n',
    '{"frames":[99999999999]}\n',
    '{"a":1\n',
  ];
  for (const text of refused)
    expect(() => new MessageDecoder().push(Buffer.from(text)), text).toThrow(/broke its protocol/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      const decoder = new MessageDecoder();
      try {
        for (const { header } of decoder.push(Buffer.concat([noise, Buffer.from("\n")])))
          expect(typeof header).toBe("object");
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "worker-protocol" });
      }
    }),
  );
});
