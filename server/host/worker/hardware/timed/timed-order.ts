import { at, mustGet } from "../../../../core/base/known";
import type { ArgumentSpec, EntrySpec } from "../../../../core/workload/spec";
import type { EntryArgument, LentBuffer } from "../../../../core/ports/entry-programs";
import { caseGiven } from "../../entry/entry-case";
import { jobArgument, type Placed, placeBuffers } from "../../evaluation/job-arguments";
import type { RunRequest } from "../../evaluation/kernel-runner";
import type { JobArgument } from "../../gpu/virtual-gpu";
import type { ArgumentWord, TimedOrder } from "./timed-messages";

type Extents = readonly [number, number, number];

/** How a kernel is launched alone. */
interface HardwareLaunch {
  readonly grid: Extents;
  readonly block: Extents;
  readonly sharedBytes: number;
  readonly arguments: readonly ArgumentSpec[];
  /** Variables of the module that inputs and outputs stand for, by their names in the spec. */
  readonly variables: readonly string[];
}

/** What the calls of a shape have in common, and the contents of one call. */
export interface ShapedCall extends Pick<TimedOrder, "words"> {
  readonly buffers: readonly NamedBuffer[];
  readonly contents: readonly Uint8Array[];
  /** For each output of the spec its place among the outputs of a reply. */
  readonly outputs: readonly number[];
}

/** `name`: as the spec names it. */
type NamedBuffer = TimedOrder["buffers"][number] & { readonly name: string };

/** A call of an entry with the inputs of a request. */
export function entryCall(request: RunRequest, given: Pick<EntrySpec, "arguments" | "symbols">): ShapedCall {
  const { buffers, index, arguments: passed } = caseGiven(request, given);
  return { ...shaped(request, buffers, index), words: passed.flatMap(entryWords) };
}

/** A launch of a kernel with the inputs of a request, as `runtime/entry/launcher.hpp` reads it. */
export function launchCall(
  request: RunRequest,
  { grid, block, sharedBytes, arguments: given, variables }: HardwareLaunch,
): ShapedCall {
  const placed = placeBuffers(request, []);
  const buffers = placed.buffers.map(({ name, bytes }) => ({ name, content: bytes }));
  const parameters = given.map((argument) => jobArgument(argument, placed, request.shape));
  const words = [...grid, ...block, sharedBytes, parameters.length].map(valueWord);
  return {
    ...shaped(request, buffers, placed.index),
    words: [
      ...[...words, ...parameters.flatMap(parameterWords)],
      ...variables.flatMap((name) => variableWords(name, request, placed)),
    ],
  };
}

function shaped(
  { shape }: RunRequest,
  buffers: readonly Pick<LentBuffer, "name" | "content">[],
  index: ReadonlyMap<string, number>,
): Omit<ShapedCall, "words"> {
  const names = new Set(shape.outputs.map(({ name }) => name));
  const outputs = buffers.filter(({ name }) => names.has(name)).map(({ name }) => name);
  return {
    buffers: buffers.map(({ name, content }) => ({
      name,
      bytes: content.byteLength,
      isOutput: names.has(name),
    })),
    contents: buffers.map(({ content }) => content),
    outputs: shape.outputs.map(({ name }) => (index.has(name) ? outputs.indexOf(name) : -1)),
  };
}

function entryWords(argument: EntryArgument): readonly ArgumentWord[] {
  if (argument.kind === "pointer") return [{ buffer: argument.buffer, value: 0n }];
  return bytesWords(argument.bytes);
}

function parameterWords(argument: JobArgument): readonly ArgumentWord[] {
  if (argument.kind === "pointer")
    return [valueWord(8), { buffer: argument.buffer, value: BigInt(argument.offset) }];
  const words = [...bytesWords(argument.bytes)];
  for (const { at: place, buffer, offset } of argument.pointers ?? [])
    words[place / 8] = { buffer, value: BigInt(offset) };
  return [valueWord(argument.bytes.byteLength), ...words];
}

/** Where the content of a variable lies, and whether it is an output. */
function variableWords(name: string, { shape }: RunRequest, { index }: Placed): readonly ArgumentWord[] {
  const isOutput = shape.outputs.some((output) => output.name === name);
  return [{ buffer: mustGet(index, name), value: 0n }, valueWord(isOutput ? 1 : 0)];
}

function valueWord(value: number): ArgumentWord {
  return { value: BigInt(value) };
}

/** Bytes as words, the last one filled up with zeros. */
export function bytesWords(bytes: Uint8Array): readonly ArgumentWord[] {
  const whole = new Uint8Array(Math.ceil(bytes.byteLength / 8) * 8);
  whole.set(bytes);
  const view = new DataView(whole.buffer);
  return Array.from({ length: whole.byteLength / 8 }, (_, word) => ({
    value: view.getBigUint64(word * 8, true),
  }));
}

/** The outputs of a call in the order of the spec. */
export function outputsIn(call: ShapedCall, outputs: readonly Uint8Array[]): readonly Uint8Array[] {
  return call.outputs.map((place) => at(outputs, place));
}
