import { expect, test } from "vitest";
import type { BufferObservation } from "../../../server/core/workload/probe/observation";
import { withScratch } from "../../../server/core/workload/probe/scratch";
import type { KernelSpec } from "../../../server/core/workload/spec";

const tensor = { dtype: "float32", shape: ["n"] } as const;

function specOf(names: readonly string[]): KernelSpec {
  return {
    ...{ file: "sum.cu", kernel: "sum", dialect: "cuda", reference: { kind: "baseline" } },
    ...{ inputs: { values: tensor }, objective: "modelled-bound", shapes: [{ sizes: { n: 7 } }] },
    outputs: Object.fromEntries(names.map((name) => [name, tensor])),
    run: { kind: "entry", entry: { call: "sum.cu::run", arguments: ["values", ...names] } },
    origins: Object.fromEntries(names.map((name) => [`outputs.${name}.shape`, "probed"])),
  };
}

const span = (bytes: number) => ({ from: 0, to: bytes, bytes });

/** A buffer of which so many bytes are written and so many read. */
function seen(name: string, written: number, read: number): BufferObservation {
  return {
    ...{ name, isAtomic: false, contendedBytes: 0, lastBy: [0, 0, 0], elementBytes: 4, isFloat: true },
    ...(written > 0 && { written: span(written) }),
    ...(read > 0 && { read: span(read) }),
  };
}

function fitted({ name, written }: BufferObservation, isRead = false) {
  return {
    ...{ name, isRead, isWritten: written !== undefined, isAtomic: false, isPartial: false, extent: "n" },
    ...{ overrun: undefined, seen: 7, coverage: 1, readCoverage: 1, width: 1, contended: 0, before: 0 },
  };
}

test.each([
  { title: "partial sums", partial: "d_partial", total: "total" },
  { title: "a workspace", partial: "ws", total: "y" },
  { title: "a name of two words", partial: "blockPartials2", total: "y" },
  { title: "temporary memory", partial: "tmp_rows", total: "tmpfile" },
])("$title that a later launch reads is scratch", ({ partial, total }) => {
  const buffers = [seen(partial, 512, 512), seen(total, 4, 0)];
  const calls = {
    buffers: buffers.map((each) => fitted(each)),
    probes: { observations: [{ buffers, launchCount: 2 }] },
  };
  const { spec, unknowns } = withScratch({ spec: specOf([partial, total]), unknowns: [] }, calls);
  expect(spec.run).toMatchObject({ entry: { scratch: { [partial]: tensor } } });
  expect(Object.keys(spec.outputs)).toEqual([total]);
  expect(spec.origins).toEqual({
    [`entry.scratch.${partial}.shape`]: "probed",
    [`outputs.${total}.shape`]: "probed",
  });
  expect(unknowns.map(({ path }) => path)).toEqual([`entry.scratch.${partial}`]);
});

test.each([
  { title: "of which a part alone is read again", name: "partial", read: 256, launches: 2 },
  { title: "of a single launch", name: "partial", read: 512, launches: 1 },
  { title: "whose name does not say so", name: "sums", read: 512, launches: 2 },
  { title: "whose name only holds such letters", name: "template_attempts", read: 512, launches: 2 },
  { title: "that is read before it is written", name: "partial", read: 512, launches: 2, isRead: true },
  { title: "that is all there is", name: "partial", read: 512, launches: 2, isAlone: true },
])("a buffer $title stays an output", ({ name, read, launches, isRead, isAlone }) => {
  const all = [seen(name, 512, read), seen("total", 4, 0)];
  const buffers = isAlone === true ? all.slice(0, 1) : all;
  const calls = {
    buffers: buffers.map((each) => fitted(each, isRead === true && each.name === name)),
    probes: { observations: [{ buffers, launchCount: launches }] },
  };
  const found = { spec: specOf(buffers.map((each) => each.name)), unknowns: [] };
  expect(withScratch(found, calls)).toBe(found);
});
