import fc from "fast-check";
import { expect, test } from "vitest";
import { TouchedBytes } from "../../../../server/core/vgpu/memory/touched-bytes";

const allocation = { name: "x", address: 0x2_0000_0000n, bytes: 1 << 16, readOnly: false };

/** All that is told of an allocation. */
function told(touched: TouchedBytes): unknown {
  const { lastThread } = touched;
  return { lastThread, read: touched.span("read"), readFirst: touched.span("readFirst") };
}

const accesses = fc.record({
  bytes: fc.constantFrom(1, 2, 4, 8, 16),
  element: fc.nat(3000),
  lanes: fc.constantFrom(1, 32),
  thread: fc.nat(1 << 20),
  isStore: fc.boolean(),
});

test("loads of lanes side by side are noted as each of them would be", () => {
  fc.assert(
    fc.property(fc.array(accesses, { maxLength: 12 }), (all) => {
      const [together, apart] = [new TouchedBytes(allocation), new TouchedBytes(allocation)];
      for (const { bytes, element, lanes, thread, isStore } of all) {
        const [offset, access] = [bytes * element, isStore ? "store" : "load"] as const;
        const each = (touched: TouchedBytes): void => {
          for (let lane = 0; lane < lanes; lane += 1)
            touched.note({ access, bytes }, offset + lane * bytes, thread + lane);
        };
        each(apart);
        if (isStore || !together.noteRun(bytes, offset, { lanes, thread })) each(together);
      }
      expect(told(together)).toEqual(told(apart));
    }),
  );
});

const changes = fc.record({
  kind: fc.constantFrom("load", "store", "atomic", "copied in", "copied out"),
  bytes: fc.constantFrom(1, 2, 4, 8, 16),
  element: fc.nat(3000),
  count: fc.nat(5000),
});

test("the bytes that are told are those of a list with an entry for each", () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 12 }), (all) => {
      const touched = new TouchedBytes(allocation);
      const marked = { read: new Set<number>(), written: new Set<number>(), readFirst: new Set<number>() };
      for (const { kind, bytes, element, count } of all) {
        const from = bytes * element;
        const isCopy = kind.startsWith("copied");
        const to = Math.min(from + (isCopy ? count : bytes), allocation.bytes);
        // It is asked for between accesses, too, as behind each of several launches.
        told(touched);
        if (kind === "copied in") touched.noteCopy("store", from, to);
        else if (kind === "copied out") touched.noteCopy("load", from, to);
        else touched.note({ access: kind as "load" | "store" | "atomic", bytes }, from, 0);
        for (let at = from; at < to; at += 1) {
          const reads = kind !== "store" && kind !== "copied in";
          if (reads) marked.read.add(at);
          if (reads && !marked.written.has(at)) marked.readFirst.add(at);
          if (kind !== "load" && kind !== "copied out") marked.written.add(at);
        }
      }
      for (const mark of ["read", "written", "readFirst"] as const) {
        const list = [...marked[mark]].sort((a, b) => a - b);
        const [from] = list;
        expect(touched.span(mark)).toEqual(
          from === undefined ? undefined : { from, to: (list.at(-1) ?? 0) + 1, bytes: list.length },
        );
      }
    }),
  );
});
