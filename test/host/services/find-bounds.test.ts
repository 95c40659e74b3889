import { expect, test } from "vitest";
import { at, entry } from "../../../server/core/base/known";
import type { BufferObservation, ProbeContent } from "../../../server/core/workload/probe/observation";
import { type Elements, fitBuffers } from "../../../server/core/workload/probe/judge-probe";
import { probeSettings, type Setting } from "../../../server/core/workload/probe/settings";
import { findTablePlaces } from "../../../server/host/services/workload/probing/extents/find-table-places";
import { findBounds } from "../../../server/host/services/workload/probing/find-bounds";

const elements: Elements = new Map([
  ["places", { type: { dtype: "int32", width: 1 }, itemBytes: 4 }],
  ["row_lens", { type: { dtype: "int32", width: 1 }, itemBytes: 4 }],
  ["values", { type: { dtype: "float32", width: 1 }, itemBytes: 4 }],
]);

/** Elements of `values` that a kernel reads, by its n numbers in `places`. */
type Kernel = (
  places: readonly number[],
  sizes: { readonly n: number; readonly m: number },
) => Iterable<number>;

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function buffer(name: string, read: ReadonlySet<number>): BufferObservation {
  const all = [...read];
  const span = () => ({
    from: 4 * all.reduce((least, each) => Math.min(least, each), Infinity),
    to: 4 * all.reduce((most, each) => Math.max(most, each), -Infinity) + 4,
    bytes: 4 * read.size,
  });
  return {
    ...{ name, isAtomic: false, contendedBytes: 0, lastBy: [0, 0, 0], elementBytes: 4, isFloat: false },
    ...(read.size === 0 ? {} : { read: span(), readFirst: span() }),
  };
}

interface Asked {
  readonly name?: string;
  readonly dtype?: "int32" | "uint16" | "int16";
  readonly idle?: readonly string[];
  /** Looks for tables that any value leads into, and not for bounds. */
  readonly isTable?: boolean;
}

async function boundsOf(
  kernel: Kernel,
  { name = "places", dtype = "int32", idle = [], isTable = false }: Asked = {},
): Promise<unknown> {
  const typed: Elements = new Map([...elements, [name, { type: { dtype, width: 1 }, itemBytes: 4 }]]);
  const contents = new Map<string, ProbeContent>();
  const settings = probeSettings(["n", "m"], { step: 1, isSmall: false });
  const observe = (setting: Setting): { readonly buffers: readonly BufferObservation[] } => {
    const [n, m] = [entry(setting, "n"), entry(setting, "m")];
    const content = contents.get(name) ?? { kind: "constant", value: 3 };
    const values =
      content.kind === "cycle" ? content.values : [content.kind === "constant" ? content.value : 0];
    const places = range(0, n).map((index) => at(values, index % values.length));
    return {
      buffers: [buffer(name, new Set(range(0, n))), buffer("values", new Set(kernel(places, { n, m })))],
    };
  };
  const observations = settings.map((sizes) => ({
    ...observe(sizes),
    ...{ sharedBytes: 0, loadReach: [0, 0, 0] as const, storeReach: [0, 0, 0] as const, isCut: false },
    ...{ warpInstructions: 1, faults: [] },
  }));
  const probes = { settings, observations };
  const trials = {
    contents,
    once: (sizes: Setting) => Promise.resolve({ ok: true as const, value: observe(sizes) }),
  };
  const seen = { probes, buffers: fitBuffers(probes, typed), elements: typed, known: new Set<string>() };
  const { indices, buffers } = isTable
    ? await findTablePlaces(trials, { ...seen, idle })
    : await findBounds(trials, { ...seen, sizes: ["n", "m"] });
  const extent = buffers.find(({ name }) => name === "values")?.extent;
  const distribution = indices[0]?.distribution;
  return { extent, ...(typeof distribution === "object" ? distribution : {}) };
}

/** A kernel is ended that goes far beyond its buffers. */
const farthest = 4000;

function rows(places: readonly number[], end: number): readonly number[] {
  return places.flatMap((from, index) => range(from, Math.min(farthest, places[index + 1] ?? end)));
}

test.each<readonly [string, Kernel, unknown]>([
  [
    "rows that begin somewhere, the last of which ends with the elements",
    (places, { m }) => rows(places, m),
    { extent: "m", kind: "offsets", total: "m - m / (n)" },
  ],
  [
    "the same with three elements to each number",
    (places, { m }) => rows(places, m).flatMap((each) => [3 * each, 3 * each + 1, 3 * each + 2]),
    { extent: "3 * m", kind: "offsets", total: "m - m / (n)" },
  ],
  [
    "places that are subtracted lead farthest where they are least",
    (places, { m }) => places.map((each, index) => m + index - each),
    { extent: "n + m", kind: "range", low: 0, high: "m - 1" },
  ],
  [
    "ranges between neighbours: mixed numbers have to be below a size, equal ones need not",
    (places, { m }) => [...rows(places.slice(0, -1), at(places, 0)), ...range(0, m)],
    { extent: "m", kind: "range", low: 0, high: "m - 1" },
  ],
  [
    "places that are counted from 1",
    (places, { m }) => [...places.map((each) => each - 1), ...range(0, m)],
    { extent: "m", kind: "range", low: 1, high: "m - 1" },
  ],
  [
    "places within a row of which more was read than they led to",
    (places, { m }) => [...places, ...range(0, m)],
    { extent: "m", kind: "range", low: 0, high: "m - 1" },
  ],
  ["nothing that depends on them", (_, { m }) => range(0, m), { extent: "m" }],
])("%s", async (_, kernel, expected) => {
  expect(await boundsOf(kernel)).toEqual(expected);
});

test("lengths go up to the whole row, of which no search reads the end", async () => {
  const kernel: Kernel = (lengths, { m }) =>
    lengths.flatMap((length, row) => range(row * m, row * m + Math.min(farthest, length)));
  const expected = { extent: "n * m", kind: "range", low: 0 };
  expect(await boundsOf(kernel, { name: "row_lens" })).toEqual({ ...expected, high: "m" });
  expect(await boundsOf(kernel)).toEqual({ ...expected, high: "m - 1" });
});

const whole = { kind: "range", low: 0, high: 65535 };

test.each<readonly [string, Kernel, Asked, unknown]>([
  [
    "upper bits",
    (places) => places.map((each) => each >> 4),
    { dtype: "uint16" },
    { extent: 4096, ...whole },
  ],
  [
    "lower bits",
    (places) => places.map((each) => each & 255),
    { dtype: "uint16" },
    { extent: 256, ...whole },
  ],
  ["any value", (places) => places, { dtype: "uint16" }, { extent: 65536, ...whole }],
  [
    "values with a sign, moved above zero",
    (places) => places.map((each) => each + 32768),
    { dtype: "int16" },
    { extent: 65536, kind: "range", low: -32768, high: 32767 },
  ],
  ["lower bits of a wide type", (places) => places.map((each) => each & 63), {}, { extent: 64 }],
  [
    "a remainder: all values reach more than a few",
    (places) => places.map((each) => each % 1000),
    {},
    { extent: 4 },
  ],
  ["a wide type itself", (places) => places, {}, { extent: 4 }],
  [
    "rows as long as a size",
    (places, { m }) => places.map((each) => each * m),
    { dtype: "uint16" },
    { extent: "3 * m + 1" },
  ],
  [
    "held below a size",
    (places, { m }) => places.map((each) => Math.min(each, m - 1)),
    { dtype: "uint16" },
    { extent: 4 },
  ],
  ["a size may be that of the table", (places) => places, { dtype: "uint16", idle: ["m"] }, { extent: 4 }],
])("tables that all values lead into: %s", async (_, kernel, asked, expected) => {
  expect(await boundsOf(kernel, { ...asked, isTable: true })).toEqual(expected);
});

test("a table behind which large sizes would lead bounds the values, and no size does", async () => {
  const kernel: Kernel = (places) => places.flatMap((each) => (each < 4096 ? 0 : [0, each]));
  expect(await boundsOf(kernel, { dtype: "uint16" })).toEqual({
    extent: 1,
    kind: "range",
    low: 0,
    high: 4095,
  });
});
