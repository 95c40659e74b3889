import { at, known } from "../../../../core/base/known";
import type { EntryFunction } from "../../../../core/language/cuda/entry/entry-functions";
import { baselineUnknown } from "../../../../core/language/spec-draft";
import {
  elementBytes,
  type Elements,
  fitBuffers,
  type FittedBuffer,
} from "../../../../core/workload/probe/judge-probe";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import type { ArgumentSpec, KernelSpec, ShapeCase, SizeExpression } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadRequest } from "../finders";
import type { FoundIndex, FoundSearch } from "../probing/find-indices";
import type { FoundOffsets } from "../probing/find-offsets";
import type { PlannedArgument } from "../probing/arguments/planned-argument";
import { guess, type ProbeFacts, tensorsOf } from "../probing/spec/probed-tensors";
import type { EntryProbes, PlannedEntryArgument } from "./entry-session";
import type { TriedShapes } from "./entry-shapes";
import type { FoundCalls } from "./find-domains";
import { measuredSize } from "./shape-plan";

/** All that calls of an entry have told. */
interface EntryResult {
  readonly request: WorkloadRequest;
  readonly entry: EntryFunction;
  /** What is compiled with the entry's file as one. */
  readonly sources: readonly string[];
  readonly planned: readonly PlannedEntryArgument[];
  readonly returned: readonly PlannedArgument[];
  readonly elements: Elements;
  readonly calls: FoundCalls;
  readonly offsets: readonly FoundOffsets[];
  readonly indices: readonly FoundIndex[];
  readonly searches: readonly FoundSearch[];
  readonly tried: TriedShapes;
  /** Elements of vectors. */
  readonly lengths: ReadonlyMap<string, SizeExpression>;
}

/** Bytes before a buffer that no kernel goes back to: host code has looked at all of the room. */
const farBefore = 64 * 1024;
/** Eight bytes of zeros: the default stream. */
const defaultStream = "0000000000000000";

/** The spec that calls of an entry stand for, with a sentence for all that stays a guess. */
export function entrySpec(result: EntryResult): FoundWorkload {
  const { request, entry, sources, planned, returned, elements, offsets, indices, searches, tried } = result;
  const facts: ProbeFacts = { origins: { "entry.call": "inferred" }, unknowns: [] };
  const folder = folderOf(request.file, [entry.file, ...sources]);
  const buffers = finalBuffers(result, facts);
  const { inputs, outputs } = tensorsOf(
    {
      planned: [...planned.flatMap((each) => (each.kind === "stream" ? [] : [each])), ...returned],
      elements,
      launch: { buffers, probes: result.calls.probes, isInText: true },
      offsets,
      indices,
      searches,
      ...(entry.flags && { flags: entry.flags }),
      letters: entry.letters,
      proposal: undefined,
    },
    facts,
  );
  const measured = buffers.filter(({ name, extent }) => extent === measuredSize(name));
  for (const buffer of measured) guessUnfitted(buffer, facts);
  const spec: KernelSpec = {
    file: request.file.slice(folder.length),
    kernel: request.kernel,
    dialect: "cuda",
    run: {
      kind: "entry",
      entry: {
        call: `${entry.file.slice(folder.length)}::${entry.name}`,
        arguments: planned.map(argumentOf),
        ...(entry.structures.length === 0 ? {} : { structures: entry.structures }),
        ...(sources.length === 0 ? {} : { sources: sources.map((path) => path.slice(folder.length)) }),
      },
    },
    inputs,
    outputs,
    shapes: tried.shapes.map((shape, index) => withMeasured(shape, { index, measured, result })),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    origins: facts.origins,
  };
  return { spec, unknowns: [...facts.unknowns, baselineUnknown], specFolder: folder.replace(/\/$/, "") };
}

function argumentOf(planned: PlannedEntryArgument): ArgumentSpec {
  if (planned.kind === "buffer") return planned.name;
  if (planned.kind === "stream") return { bytes: defaultStream };
  return { value: planned.kind === "size" ? planned.name : planned.value, dtype: planned.dtype };
}

/** The buffers with extents that hold for the shapes too: else those are measured. */
function finalBuffers(
  { calls, elements, tried, lengths, indices, offsets }: EntryResult,
  facts: ProbeFacts,
): readonly FittedBuffer[] {
  const all: EntryProbes = {
    settings: [...calls.probes.settings, ...tried.probes.settings],
    observations: [...calls.probes.observations, ...tried.probes.observations],
  };
  const together = new Map(fitBuffers(all, elements).map((each) => [each.name, each]));
  const suits = ({ name, extent }: FittedBuffer): boolean => {
    const holdsFor = (probes: EntryProbes, isExact: boolean): boolean =>
      extent !== undefined && holds(extent, { name, all: probes, elements }, isExact);
    return holdsFor(all, holdsFor(calls.probes, true));
  };
  const isLed = (name: string): boolean =>
    indices.some(({ into }) => into === name) || offsets.some(({ into }) => into.has(name));
  const isChance = ({ name, extent }: FittedBuffer): boolean => isByChance({ name, all, elements }, extent);
  const suited = calls.buffers
    .filter((each) => suits(each) && !isChance(each))
    .flatMap(({ extent }) => extent ?? []);
  return calls.buffers.map((buffer) => {
    const { name } = buffer;
    const length = lengths.get(name);
    if (length !== undefined) return { ...buffer, extent: length, before: 0 };
    if (buffer.before >= farBefore) return guessed(buffer, calls, facts);
    if (buffer.before > 0) return { ...buffer, extent: withoutHalo(buffer, { all, elements, calls }) };
    if (suits(buffer) && !isChance(buffer)) return buffer;
    // Of how many rows values lead into, no call has to tell.
    if (isLed(name)) return buffer;
    const capacity = capacityOf(name, { all, elements, calls, suited });
    if (suits(buffer) && capacity === undefined) return buffer;
    const fitted = isChance(buffer) ? undefined : together.get(name)?.extent;
    if (fitted !== undefined) return { ...buffer, extent: fitted };
    if (capacity === undefined) return withSharedExtent(buffer, { all, elements, suited }, facts);
    const side = buffer.isWritten ? "outputs" : "inputs";
    guess(facts, `${side}.${name}.shape`, capacityWords(name, capacity));
    return { ...buffer, extent: capacity };
  });
}

/** The buffer with an extent that others have, or one that is measured for each shape. */
function withSharedExtent(
  buffer: FittedBuffer,
  { all, elements, suited }: Omit<Touched, "name"> & Pick<Capacity, "suited">,
  facts: ProbeFacts,
): FittedBuffer {
  const { name, isWritten } = buffer;
  const extent = isWritten ? undefined : sharedExtent({ name, all, elements }, suited);
  if (extent === undefined) return { ...buffer, extent: measuredSize(name) };
  guess(facts, `inputs.${name}.shape`, sharedWords(name, extent));
  return { ...buffer, extent };
}

/** The part of an extent that some call has to have come to where values choose what is read. */
const nearlyAll = 0.75;

/**
 * The extent of other buffers that an input most likely shares, of which values choose what is read, as a
 * filter's columns: no call went beyond it, and one came near its end. Of several the least.
 */
function sharedExtent(touched: Touched, suited: readonly SizeExpression[]): SizeExpression | undefined {
  const ends = endsOf(touched);
  const found = [...new Set(suited)].flatMap((extent) => {
    const values = touched.all.settings.map((setting) => evaluateSizeExpression(extent, setting));
    const sizes = values.flatMap((value) => (value.ok ? [value.value] : []));
    const covers = sizes.length === ends.length && sizes.every((size, index) => size >= at(ends, index));
    const isNear = sizes.some((size, index) => size > 1 && at(ends, index) >= nearlyAll * size);
    return covers && isNear && /[a-z]/i.test(String(extent)) ? [{ extent, first: at(sizes, 0) }] : [];
  });
  return found.toSorted((one, other) => one.first - other.first)[0]?.extent;
}

function sharedWords(name: string, extent: SizeExpression): string {
  return `values choose how far ${name} is read; that it has ${extent} elements, as others have, is a guess.`;
}

/**
 * The size that a buffer most likely has whose places are worked out of values, as a hash table's: one that
 * nothing else depends on and that no call went beyond; of several the least.
 */
function capacityOf(
  name: string,
  { all, elements, calls, suited }: Omit<Touched, "name"> & Capacity,
): SizeExpression | undefined {
  const ends = endsOf({ name, all, elements });
  const others = suited.join(" ");
  const idle = [...calls.domains.keys()].filter((size) => !new RegExp(`\\b${size}\\b`).test(others));
  // What is masked ends one behind the mask.
  const sizes = idle.map((size) => (/mask/i.test(size) ? `${size} + 1` : size));
  const values = (size: SizeExpression): readonly number[] =>
    all.settings.map((setting) => {
      const value = evaluateSizeExpression(size, setting);
      return value.ok ? value.value : 0;
    });
  const covering = sizes.filter((size) => values(size).every((value, index) => value >= at(ends, index)));
  return covering.sort((one, other) => (values(one)[0] ?? 0) - (values(other)[0] ?? 0))[0];
}

/**
 * Whether an extent was fitted to single elements here and there, whose places are worked out of values: that
 * some difference or remainder of sizes, or one number, leads to each of a few is chance.
 */
function isByChance({ name, all, elements }: Touched, extent: SizeExpression | undefined): boolean {
  if (extent === undefined || extent === 1 || !/[-%]|^\d+$/.test(String(extent))) return false;
  const bytes = elementBytes(elements, name);
  const spans = all.observations.map(({ buffers }) => {
    const seen = buffers.find((each) => each.name === name);
    return seen?.written === undefined ? seen?.read : undefined;
  });
  const isSingle = spans.every((span) => span !== undefined && span.bytes <= bytes);
  return isSingle && spans.some((span) => span !== undefined && span.from > 0);
}

interface Capacity {
  readonly calls: FoundCalls;
  /** Extents of the buffers that have one. */
  readonly suited: readonly SizeExpression[];
}

function capacityWords(name: string, capacity: SizeExpression): string {
  return `no expression gives how far ${name} is touched; that it has ${capacity} elements, which nothing else depends on, is a guess.`;
}

interface Touched {
  readonly name: string;
  readonly all: EntryProbes;
  readonly elements: Elements;
}

/** Elements up to the last one that each call touched. */
function endsOf({ name, all, elements }: Touched): readonly number[] {
  return all.observations.map(({ buffers }) => {
    const seen = buffers.find((each) => each.name === name);
    return Math.ceil(Math.max(seen?.read?.to ?? 0, seen?.written?.to ?? 0) / elementBytes(elements, name));
  });
}

/** Whether no call went beyond, and where it is exact, whether each went as far. */
function holds(extent: SizeExpression, touched: Touched, isExact: boolean): boolean {
  const ends = endsOf(touched);
  return touched.all.settings.every((sizes, index) => {
    const value = evaluateSizeExpression(extent, sizes);
    const end = at(ends, index);
    return value.ok && (isExact ? value.value === end : value.value >= end);
  });
}

/** Sizes that an entry is not made for let it touch what no expression gives: then the sizes may be wrong. */
function guessUnfitted({ name, isWritten }: FittedBuffer, facts: ProbeFacts): void {
  guess(
    facts,
    `${isWritten ? "outputs" : "inputs"}.${name}.shape`,
    `no expression gives how far ${name} is touched, so that the sizes that were tried may be none that the function is made for; each shape has what its call touched.`,
  );
}

/** Host code reads the buffer itself, by pages: how far is not seen. */
function guessed(buffer: FittedBuffer, { domains }: FoundCalls, facts: ProbeFacts): FittedBuffer {
  const extent = domains.size === 0 ? 1 : [...domains.keys()].join(" * ");
  const side = buffer.isWritten ? "outputs" : "inputs";
  guess(
    facts,
    `${side}.${buffer.name}.shape`,
    `host code uses ${buffer.name} itself, and how far is not seen; the product of all sizes is a guess.`,
  );
  return { ...buffer, extent, before: 0 };
}

/**
 * A buffer that is read before its start ends, most likely, where a plain product of sizes does: what lies
 * behind that is the same fault.
 */
function withoutHalo(
  buffer: FittedBuffer,
  { all, elements, calls }: Omit<Touched, "name"> & { readonly calls: FoundCalls },
): SizeExpression {
  const ends = endsOf({ name: buffer.name, all, elements });
  const names = [...calls.domains.keys()];
  const products = names.flatMap((one, index) => [
    one,
    ...names.slice(index + 1).map((other) => `${one} * ${other}`),
  ]);
  const slack = (product: string): number =>
    all.settings.reduce((sum, sizes, index) => {
      const value = evaluateSizeExpression(product, sizes);
      return sum + Math.abs((value.ok ? value.value : 0) - at(ends, index));
    }, 0);
  const [best] = [...products].sort((a, b) => slack(a) - slack(b));
  return best ?? buffer.extent ?? measuredSize(buffer.name);
}

/** The shape with the sizes that were measured in its call. */
function withMeasured(
  shape: ShapeCase,
  about: {
    readonly index: number;
    readonly measured: readonly FittedBuffer[];
    readonly result: EntryResult;
  },
): ShapeCase {
  const { tried, elements } = about.result;
  const sizes = about.measured.map(({ name }) => {
    const ends = endsOf({ name, all: tried.probes, elements });
    return [measuredSize(name), Math.max(1, known(ends[about.index], "what the call of a shape touched"))];
  });
  return { ...shape, sizes: { ...shape.sizes, ...Object.fromEntries(sizes) } };
}

/** The kernel's folder, or the top of the workspace where not all others are below it. */
function folderOf(file: string, others: readonly string[]): string {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  return others.every((other) => other.startsWith(folder)) ? folder : "";
}
