import {
  type CompiledKernel,
  DeviceMemory,
  compileKernel,
  launch,
  parsePtx,
} from "../../../../server/core/vgpu/index";
import { address, describe, readCase } from "../support";

/** A column of lanes: type b8 to b64 and the bits of each lane in hexadecimal. */
interface Column {
  readonly type: "b8" | "b16" | "b32" | "b64";
  readonly values: string;
}

/**
 * Allowed distance from the expected value, which is a double: absolute + relative × |expected|, or so many
 * units in the last place from the nearest single. Results are of the format.
 */
interface Bound {
  readonly format: "f32" | "f64" | "f16" | "bf16";
  readonly absolute: number;
  readonly relative: number;
  readonly ulps?: number;
}

interface Case {
  readonly opcode: string;
  readonly body: string;
  readonly inputs: string;
  readonly outputs: readonly Column[];
  /** Format of results whose NaNs may have any payload. */
  readonly nan?: keyof typeof nanRules;
  readonly bound?: Bound;
  readonly grid?: readonly [number, number, number];
  readonly block?: readonly [number, number, number];
  /** Module-level declarations. */
  readonly declare?: string;
  /** A buffer at %mem: the name of its contents before, and those after unless they stay. */
  readonly memory?: { readonly before: string; readonly after?: Column };
}

interface CaseFile {
  readonly inputs: Readonly<Record<string, readonly Column[]>>;
  readonly buffers: Readonly<Record<string, Column>>;
  readonly cases: readonly Case[];
}

const nanRules = {
  f32: { width: 32, infinity: 0x7f80_0000n },
  f64: { width: 64, infinity: 0x7ff0_0000_0000_0000n },
  f16: { width: 16, infinity: 0x7c00n },
  bf16: { width: 16, infinity: 0x7f80n },
  f16x2: { width: 16, infinity: 0x7c00n },
  bf16x2: { width: 16, infinity: 0x7f80n },
} as const;

const sizes = { b8: 1, b16: 2, b32: 4, b64: 8 } as const;
const names = ["a", "b", "c", "d"];

/** Reads one file of cases/vgpu/conformance/expected. */
export function readCases(name: string): CaseFile {
  return JSON.parse(readCase("conformance", "expected", `${name}.json`)) as CaseFile;
}

function valuesOf(column: Column): bigint[] {
  return column.values === "" ? [] : column.values.split(" ").map((word) => BigInt(`0x${word}`));
}

function pack(column: Column): Uint8Array {
  const values = valuesOf(column);
  const size = sizes[column.type];
  const bytes = new Uint8Array(values.length * size);
  values.forEach((value, index) => {
    for (let at = 0; at < size; at += 1) bytes[index * size + at] = Number((value >> BigInt(8 * at)) & 0xffn);
  });
  return bytes;
}

function unpack(bytes: Uint8Array, type: Column["type"]): bigint[] {
  const size = sizes[type];
  return Array.from({ length: bytes.length / size }, (_, index) => {
    let value = 0n;
    for (let at = size - 1; at >= 0; at -= 1) value = (value << 8n) | BigInt(bytes[index * size + at] ?? 0);
    return value;
  });
}

const registerOf = (type: Column["type"]): string => (type === "b8" ? "b16" : type);

function transfer(
  column: Column,
  parameter: number,
  registers: { readonly load?: string; readonly store?: string },
): string {
  const at = `ld.param.u64 %at, [p${parameter}]; mad.wide.u32 %at, %lane, ${sizes[column.type]}, %at;`;
  return registers.load
    ? `${at} ld.global.${column.type} %${registers.load}, [%at];`
    : `${at} st.global.${column.type} [%at], %${registers.store ?? ""};`;
}

/**
 * The kernel of cases that share their inputs, one after the other, each in a scope with registers of its
 * own. Parameters are the inputs, the outputs of all cases and the buffer of each case, in this order.
 */
function kernelText(entries: readonly Case[], inputs: readonly Column[]): string {
  const outputs = entries.flatMap((entry) => entry.outputs).length;
  const parameters = Array.from(
    { length: inputs.length + outputs + entries.length },
    (_, index) => `.param .u64 p${index}`,
  ).join(", ");
  let first = inputs.length;
  const scopes = entries.flatMap((entry, index) => {
    const buffer = `ld.param.u64 %mem, [p${inputs.length + outputs + index}];`;
    const text = scopeText(entry, inputs, first);
    first += entry.outputs.length;
    return [buffer, ...text];
  });
  return [
    ".version 8.7",
    ".target sm_90",
    ".address_size 64",
    entries[0]?.declare ?? "",
    `.visible .entry kernel(${parameters})`,
    "{",
    ".reg .b64 %at, %mem; .reg .b32 %lane, %thread, %i<2>;",
    // The number of the thread in the grid; shapes matter to few cases.
    "mov.u32 %lane, %ctaid.z; mov.u32 %i0, %nctaid.y; mov.u32 %i1, %ctaid.y; mad.lo.u32 %lane, %lane, %i0, %i1;",
    "mov.u32 %i0, %nctaid.x; mov.u32 %i1, %ctaid.x; mad.lo.u32 %lane, %lane, %i0, %i1;",
    "mov.u32 %i0, %ntid.z; mov.u32 %i1, %tid.z; mad.lo.u32 %lane, %lane, %i0, %i1; mov.u32 %i0, %ntid.y; mov.u32 %i1, %tid.y; mad.lo.u32 %lane, %lane, %i0, %i1;",
    "mov.u32 %i0, %ntid.x; mov.u32 %i1, %tid.x; mad.lo.u32 %lane, %lane, %i0, %i1; mov.u32 %thread, %tid.x;",
    ...scopes,
    "ret;",
    "}",
    "",
  ].join("\n");
}

/** One case: its registers, its inputs loaded, its body, and its outputs stored from parameter `first` on. */
function scopeText(entry: Case, inputs: readonly Column[], first: number): readonly string[] {
  return [
    "{",
    ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %t<32>; .reg .b64 %w<16>;",
    ...inputs.map(({ type }, index) => `.reg .${registerOf(type)} %${names[index] ?? ""};`),
    ...entry.outputs.map(({ type }, index) => `.reg .${registerOf(type)} %o${index};`),
    ...inputs.map((column, index) => transfer(column, index, { load: names[index] ?? "" })),
    ...entry.outputs.map(({ type }, index) => {
      const isWord = type === "b64" || type === "b32";
      return `mov.${isWord ? type : "b16"} %o${index}, 0;`;
    }),
    entry.body,
    ...entry.outputs.map((column, index) => transfer(column, first + index, { store: `o${index}` })),
    "}",
  ];
}

function compileCase(text: string): CompiledKernel | string {
  const parsed = parsePtx(text);
  if (!parsed.ok) return `PTX line ${parsed.problem.line}: ${parsed.problem.message}`;
  const compiled = compileKernel(parsed.value, "kernel", { counters: false, detectors: false });
  return compiled.ok ? compiled.value : compiled.problem.reason;
}

/** The text of a case's kernel, for tools outside. */
export function textOf(file: CaseFile, entry: Case): string {
  return kernelText([entry], file.inputs[entry.inputs] ?? []);
}

/** Cases in one kernel: compiling one costs more than what a case adds to it. */
const casesInKernel = 16;

/** Runs cases, several in one kernel where they can share it; returns what differs, one line each. */
export function problemsOf(file: CaseFile, entries: readonly Case[]): string[] {
  const shared = new Map<string, Case[][]>();
  for (const entry of entries.filter(canShare)) {
    const { inputs, declare, grid, block } = entry;
    const key = JSON.stringify([inputs, declare, grid, block, lanesOf(file, entry)]);
    const groups = shared.get(key) ?? [];
    const open = groups.at(-1);
    if (open === undefined || open.length === casesInKernel) groups.push([entry]);
    else open.push(entry);
    shared.set(key, groups);
  }
  const alone = entries.filter((entry) => !canShare(entry)).map((entry) => [entry]);
  return [...alone, ...[...shared.values()].flat()].flatMap((group) => problemsOfGroup(file, group));
}

/** How many threads a case has that names no shape. */
function lanesOf(file: CaseFile, { outputs, inputs }: Case): number {
  return valuesOf(outputs[0] ?? file.inputs[inputs]?.[0] ?? { type: "b32", values: "" }).length;
}

/** What is wrong with a kernel of several cases is told of each case by itself where that shows it. */
function problemsOfGroup(file: CaseFile, group: readonly Case[]): string[] {
  const together = problemsOfKernel(file, group);
  if (group.length === 1 || together.length === 0) return together;
  const alone = group.flatMap((entry) => problemsOfKernel(file, [entry]));
  return alone.length > 0 ? alone : together.map((problem) => `only among others: ${problem}`);
}

/** Whether a case lets the next one in its kernel begin, with all threads. */
function canShare({ body }: Case): boolean {
  return !/\b(ret|exit|trap|call|bar|barrier|clock)\b/.test(body);
}

/** Runs the kernel of some cases with the same inputs. */
function problemsOfKernel(file: CaseFile, entries: readonly Case[]): string[] {
  const [entry] = entries;
  if (entry === undefined) return [];
  const label = entries.map(({ body }) => body).join(" | ");
  const inputs = file.inputs[entry.inputs] ?? [];
  const kernel = compileCase(kernelText(entries, inputs));
  if (typeof kernel === "string") return [`${label}: ${kernel}`];
  const memory = new DeviceMemory();
  const columns = inputs.map((column, index) =>
    memory.allocate(`input ${index}`, pack(column).length, { initial: pack(column), readOnly: true }),
  );
  const outputs = entries.flatMap((each) =>
    each.outputs.map((column, index) => ({
      entry: each,
      column,
      name: `%o${index}`,
      address: memory.allocate(`output ${index}`, valuesOf(column).length * sizes[column.type]),
    })),
  );
  const buffers = entries.map((each) => {
    const initial = each.memory && file.buffers[each.memory.before];
    const before = initial ? pack(initial) : new Uint8Array(8);
    const at = memory.allocate("memory", before.length, { initial: before });
    return { entry: each, at, after: each.memory?.after ?? initial };
  });
  const outcome = launch(kernel, {
    grid: entry.grid ?? [1, 1, 1],
    block: entry.block ?? [lanesOf(file, entry), 1, 1],
    dynamicSharedBytes: 0,
    memory,
    instructionBudget: 1e7,
    arguments: [...columns, ...outputs.map((output) => output.address), ...buffers.map(({ at }) => at)].map(
      address,
    ),
  });
  if (outcome.kind !== "completed") return [`${label}: ${describe(outcome)}`];
  const given = inputs.map(valuesOf);
  const inputsOf = (lane: number): string => given.map((list) => list[lane]?.toString(16)).join(", ");
  const problems = outputs.flatMap((output) =>
    differences(output.entry, output.column, unpack(memory.read(output.address), output.column.type)).map(
      (text) =>
        `${output.entry.body} ${output.name} ${text.replace(/^lane (\d+)/, (whole, lane: string) => `${whole} (${inputsOf(Number(lane))})`)}`,
    ),
  );
  const changed = buffers.flatMap(({ entry: each, at, after }) =>
    after === undefined
      ? []
      : differences(each, after, unpack(memory.read(at), after.type)).map(
          (text) => `${each.body} memory ${text}`,
        ),
  );
  return [...problems, ...changed];
}

function differences(entry: Case, column: Column, actual: readonly bigint[]): string[] {
  return valuesOf(column).flatMap((expected, index) => {
    const got = actual[index] ?? 0n;
    const same = entry.bound
      ? isClose(got, expected, entry.bound)
      : got === expected || (entry.nan !== undefined && sameNaN(got, expected, entry.nan));
    return same ? [] : [`lane ${index}: expected ${expected.toString(16)}, got ${got.toString(16)}`];
  });
}

/** Equal but for the payloads of NaNs, in each of the packed halves. */
function sameNaN(actual: bigint, expected: bigint, format: keyof typeof nanRules): boolean {
  const { width, infinity } = nanRules[format];
  const mask = (1n << BigInt(width)) - 1n;
  const isNaNBits = (bits: bigint): boolean => (bits & (mask >> 1n)) > infinity;
  const count = format.endsWith("x2") ? 2 : 1;
  return (
    Array.from(
      { length: count },
      (_, part) =>
        [(actual >> BigInt(width * part)) & mask, (expected >> BigInt(width * part)) & mask] as const,
    ).every(([a, e]) => a === e || (isNaNBits(a) && isNaNBits(e))) &&
    actual >> BigInt(width * count) === expected >> BigInt(width * count)
  );
}

const view = new DataView(new ArrayBuffer(8));

function numberOf(bits: bigint, format: Bound["format"]): number {
  if (format === "f64") {
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  }
  if (format === "f16") {
    const [field, fraction] = [Number((bits >> 10n) & 31n), Number(bits & 0x3ffn)];
    const sign = bits >> 15n === 1n ? -1 : 1;
    if (field === 31) return fraction === 0 ? sign * Infinity : NaN;
    return sign * (field === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (field - 25));
  }
  view.setUint32(0, Number(format === "bf16" ? bits << 16n : bits));
  return view.getFloat32(0);
}

/** Distance of a finite single to its neighbour farther from zero; the least subnormal for zero. */
export function unitInLastPlace(value: number): number {
  return value === 0 ? 2 ** -149 : 2 ** Math.max(-149, Math.floor(Math.log2(Math.abs(value))) - 23);
}

/** Expected values of a bounded case are doubles, given with 64 bits whatever the result's format. */
function isClose(actual: bigint, expected: bigint, { format, absolute, relative, ulps }: Bound): boolean {
  const [got, wanted] = [numberOf(actual, format), numberOf(expected, "f64")];
  if (!Number.isFinite(wanted) || wanted === 0)
    return Object.is(got, wanted) || (wanted === 0 && absolute > 0 && Math.abs(got) <= absolute);
  if (ulps !== undefined)
    return Math.abs(got - Math.fround(wanted)) <= ulps * unitInLastPlace(Math.fround(wanted));
  return Math.abs(got - wanted) <= absolute + relative * Math.abs(wanted);
}
