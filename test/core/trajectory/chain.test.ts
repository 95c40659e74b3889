import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChainReader, type ReadLine } from "../../../server/core/trajectory/chain";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { sha256 } from "./event-fixtures";
import { bytesOf, eventsOf, exampleStream, linesOf, streams } from "./event-streams";
import { draws, stride } from "../../harness/draws";

/** A reader that remembers what it has read. */
class RememberingReader extends ChainReader {
  readonly events: SessionEvent[] = [];

  constructor() {
    super(sha256);
  }

  override push(bytes: Uint8Array): readonly ReadLine[] {
    const lines = super.push(bytes);
    this.events.push(...lines.map(({ event }) => event));
    return lines;
  }
}

function read(...segments: readonly Uint8Array[]): RememberingReader {
  const reader = new RememberingReader();
  for (const [index, segment] of segments.entries()) {
    if (index > 0) reader.endSegment();
    reader.push(segment);
  }
  return reader;
}

const lines = linesOf(exampleStream.events);
const parsed = lines.map((line) => JSON.parse(line) as unknown);

describe("reading a log", () => {
  it("gives back every event however the bytes arrive and wherever segments begin", () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(4000), { maxLength: 6 }), fc.nat(30), (stream, cuts, split) => {
        const written = linesOf(stream.events);
        const border = Math.min(split, written.length);
        const reader = new RememberingReader();
        for (const [index, part] of [
          bytesOf(written.slice(0, border)),
          bytesOf(written.slice(border)),
        ].entries()) {
          if (index > 0) reader.endSegment();
          const places = [0, ...cuts.filter((cut) => cut < part.length).sort((a, b) => a - b), part.length];
          for (let piece = 1; piece < places.length; piece++)
            reader.push(part.subarray(places[piece - 1], places[piece]));
        }
        expect(reader.events).toEqual(eventsOf(stream));
        expect([reader.damage, reader.tornBytes]).toEqual([undefined, 0]);
      }),
      { numRuns: draws(60) },
    );
  });

  it("opens after a cut at every byte, loses at most the cut line, and takes it for a torn tail", () => {
    const bytes = bytesOf(lines);
    const whole = new RememberingReader();
    let complete = 0;
    for (let cut = 0; cut <= bytes.length; cut++) {
      if (cut > 0 && bytes[cut - 1] === 0x0a) complete++;
      // Growing one reader byte by byte is the same as opening the log cut there, at a cost that is not
      // quadratic.
      if (cut > 0) whole.push(bytes.subarray(cut - 1, cut));
      expect(whole.events.length).toBe(complete);
      expect(whole.damage).toBeUndefined();
    }
    for (let cut = 0; cut <= bytes.length; cut += stride(97)) {
      const reader = read(bytes.subarray(0, cut));
      expect(reader.events).toEqual(parsed.slice(0, reader.events.length));
      expect([reader.damage, reader.goodBytes + reader.tornBytes]).toEqual([undefined, cut]);
    }
    expect(whole.events).toEqual(parsed);
  });

  it("names the event when a byte in the middle was flipped", () => {
    const bytes = bytesOf(lines);
    const starts = lines.map((_, index) => bytesOf(lines.slice(0, index)).length);
    for (const [index, line] of lines.slice(0, -1).entries()) {
      for (const offset of [0, 10, Math.floor(line.length / 2), line.length - 20]) {
        const changed = bytes.slice();
        const at = (starts[index] ?? 0) + offset;
        changed[at] = (changed[at] ?? 0) ^ 1;
        const reader = read(changed);
        expect(reader.damage?.seq, `event ${index + 1}, byte ${offset}`).toBe(index + 1);
        expect(reader.damage?.reason).toMatch(new RegExp(`^event ${index + 1} `));
      }
    }
  });

  it("names a line that was taken out, put in twice, or cut off before a later segment", () => {
    const without = [...lines.slice(0, 4), ...lines.slice(5)];
    expect(read(bytesOf(without)).damage).toEqual({
      seq: 5,
      reason: "event 5 is missing: event 6 stands in its place",
    });
    const twice = [...lines.slice(0, 5), ...lines.slice(4)];
    expect(read(bytesOf(twice)).damage?.seq).toBe(6);
    const first = bytesOf(lines.slice(0, 5));
    expect(read(first.subarray(0, first.length - 3), bytesOf(lines.slice(5))).damage).toEqual({
      seq: 5,
      reason: "event 5 is cut off",
    });
  });
});
