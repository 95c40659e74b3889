import type { JsonObject } from "../../../core/base/json";
import { at as elementAt, mustGet } from "../../../core/base/known";
import type { DataType } from "../../../core/workload/spec";
import type { Finding } from "../../../core/judge/verdict";
import type { ResolvedShape, ResolvedTensor } from "./case-shapes";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { Fill, RunRequest } from "./kernel-runner";

/** Bytes of the patterns: all but the last two, the last but one, the last (the most significant). */
const floatPatterns = { first: [0xa5, 0xf5, 0xff], second: [0x5a, 0xfa, 0x7f] } as const;
const wholePatterns = { first: 0xa5, second: 0x5a } as const;

/**
 * What an element of an output holds before a run: a rare pattern that in floating types is NaN. It is
 * another NaN than that of unwritten shared memory (all bits set), which a kernel may have copied. Truth
 * values are 1 or 0.
 */
export function patternOf(dtype: DataType, fill: Fill): Uint8Array {
  const size = itemBytes[dtype];
  if (dtype === "bool") return Uint8Array.of(fill === "first" ? 1 : 0);
  if (!dtype.includes("float")) return new Uint8Array(size).fill(wholePatterns[fill]);
  const [low, middle, high] = floatPatterns[fill];
  return new Uint8Array(size)
    .fill(low)
    .fill(middle, size - 2)
    .fill(high, size - 1);
}

/** Whether no output has an element, so that a host function has nothing to launch. */
export function asksForNothing({ outputs, mayBeIdle }: ResolvedShape): boolean {
  return mayBeIdle === true || outputs.every(({ bytes }) => bytes === 0);
}

/** An output as it is before a run. */
export function poisoned({ dtype, bytes }: ResolvedTensor, fill: Fill): Uint8Array {
  const content = new Uint8Array(bytes);
  // Of a byte array only a buffer fills with more than one byte.
  Buffer.from(content.buffer).fill(patternOf(dtype, fill));
  return content;
}

/**
 * Whether an output holds the pattern that it was filled with first anywhere: nothing was stored there, or
 * this very value.
 */
export function maybeUnwritten({ dtype }: ResolvedTensor, content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(
    Buffer.from(patternOf(dtype, "first")),
  );
}

/**
 * Elements that the kernel never wrote: after two runs that differ only in what the output was filled with,
 * they hold the one pattern and the other.
 */
export function untouchedElements(
  tensor: ResolvedTensor,
  { first, second }: Readonly<Record<Fill, Uint8Array>>,
): readonly number[] {
  const size = itemBytes[tensor.dtype];
  const holds = (content: Uint8Array, fill: Fill): ((element: number) => boolean) => {
    const pattern = patternOf(tensor.dtype, fill);
    return (element) => pattern.every((byte, index) => content[element * size + index] === byte);
  };
  const [wasFirst, wasSecond] = [holds(first, "first"), holds(second, "second")];
  const count = Math.floor(first.byteLength / size);
  const untouched: number[] = [];
  for (let element = 0; element < count; element += 1)
    if (wasFirst(element) && wasSecond(element)) untouched.push(element);
  return untouched;
}

/** One finding for an output of which elements were never written, naming the first. */
export function unwritten(
  tensor: ResolvedTensor,
  contents: Readonly<Record<Fill, Uint8Array>>,
  file: string,
): readonly Finding[] {
  const untouched = untouchedElements(tensor, contents);
  const [first] = untouched;
  if (first === undefined) return [];
  const count = Math.floor(contents.first.byteLength / itemBytes[tensor.dtype]);
  return [
    {
      kind: "never-written",
      file,
      line: 0,
      message: `${untouched.length} of ${count} elements of ${tensor.name} were never written, the first is element ${first}`,
    },
  ];
}

/** What the outputs of a run hold, in the order of its request. */
export function outputsOf(
  { shape }: RunRequest,
  index: ReadonlyMap<string, number>,
  after: readonly Uint8Array[],
): readonly Uint8Array[] {
  return shape.outputs.map(({ name }) => elementAt(after, mustGet(index, name)));
}

/** Inputs that a run changed although they are no outputs. */
export function inputFindings(
  request: RunRequest,
  index: ReadonlyMap<string, number>,
  after: readonly Uint8Array[],
  file: string,
): readonly Finding[] {
  const outputs = new Set(request.shape.outputs.map((output) => output.name));
  const findings: Finding[] = [];
  for (const [position, input] of request.shape.inputs.entries()) {
    const before = elementAt(request.inputs, position);
    const now = elementAt(after, mustGet(index, input.name));
    if (outputs.has(input.name) || Buffer.compare(before, now) === 0) continue;
    const at = now.findIndex((byte, offset) => byte !== before[offset]);
    findings.push({
      kind: "input-overwritten",
      file,
      line: 0,
      message: `${overwrote(input.name)}, first at byte ${at}`,
    });
  }
  return findings;
}

/** The inputs that findings of `inputFindings` are about. */
export function overwrittenInputs(
  { inputs }: RunRequest["shape"],
  findings: readonly Finding[],
): readonly string[] {
  const told = findings.filter(({ kind }) => kind === "input-overwritten");
  const isTold = (name: string): boolean =>
    told.some(({ message }) => message.startsWith(`${overwrote(name)},`));
  return inputs.flatMap(({ name }) => (isTold(name) ? name : []));
}

function overwrote(input: string): string {
  return `the kernel wrote to its input ${input}`;
}

/** What memory without contents holds, by the type of its elements, as hex. */
export function patternsOf(fill: Fill): JsonObject {
  const types = Object.keys(itemBytes) as readonly DataType[];
  return Object.fromEntries(
    types.map((dtype) => [dtype, Buffer.from(patternOf(dtype, fill)).toString("hex")]),
  );
}
