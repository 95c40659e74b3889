import { at, mustGet } from "../../../core/base/known";
import type { EntryArgument, LentBuffer } from "../../../core/ports/entry-programs";
import { type ArgumentSpec, type EntrySpec, filledSymbol } from "../../../core/workload/spec";
import { poisoned } from "../evaluation/buffers";
import { scalarBytes, scalarOf } from "../evaluation/case-shapes";
import type { RunRequest } from "../evaluation/kernel-runner";
import { isPassed } from "./harness";

/** What one call of an entry is given. */
interface CaseGiven {
  readonly buffers: readonly LentBuffer[];
  /** Which buffer each input and output is. */
  readonly index: ReadonlyMap<string, number>;
  readonly arguments: readonly EntryArgument[];
  /** Before the arguments stand those of a call before, on the same inputs and on outputs of its own. */
  readonly isTwice: boolean;
}

/**
 * The buffers of a case and the entry's arguments as the harness reads them (`harness.ts`). Where streams run
 * in another order, a call goes before that nothing waits for, unless it would change the inputs.
 */
export function caseGiven(request: RunRequest, entry: Pick<EntrySpec, "arguments" | "symbols">): CaseGiven {
  const { buffers, index } = lentBuffers(request);
  const own = { buffers, index, arguments: argumentsOf({ buffers, index }, request, entry), isTwice: false };
  const { inputs, outputs } = request.shape;
  const changesInputs = outputs.some(({ name }) => inputs.some((input) => input.name === name));
  if (request.streams === undefined || changesInputs) return own;
  const written = buffers.slice(inputs.length);
  const all = [...buffers, ...written];
  const other = new Map(
    [...index].map(([name, place]) => [name, place < inputs.length ? place : place + written.length]),
  );
  const before = argumentsOf({ buffers: all, index: other }, request, entry);
  return { buffers: all, index, arguments: [...before, ...own.arguments], isTwice: true };
}

function argumentsOf(
  { buffers, index }: Pick<CaseGiven, "buffers" | "index">,
  request: RunRequest,
  { arguments: given, symbols = [] }: Pick<EntrySpec, "arguments" | "symbols">,
): readonly EntryArgument[] {
  const { shape } = request;
  /** A buffer is its address and its size. */
  const lent = (name: string): readonly EntryArgument[] => {
    const buffer = mustGet(index, name);
    const size = scalarBytes(at(buffers, buffer).content.byteLength, "uint64");
    return [
      { kind: "pointer", buffer },
      { kind: "bytes", bytes: size },
    ];
  };
  const returned = shape.outputs.map(({ name }) => name).filter((name) => !given.includes(name));
  const passed = given.filter(isPassed).flatMap((argument): readonly EntryArgument[] => {
    if (typeof argument === "string") return lent(argument);
    if ("bytes" in argument) return [{ kind: "bytes", bytes: Buffer.from(argument.bytes, "hex") }];
    return [{ kind: "bytes", bytes: scalarBytes(scalarOf(argument, shape.shape), argument.dtype) }];
  });
  const filled = symbols.flatMap((symbol): readonly EntryArgument[] => {
    const { with: argument } = filledSymbol(symbol);
    if (typeof argument === "string") return lent(argument);
    return [{ kind: "bytes", bytes: plainBytes(argument, request) }];
  });
  return [...filled, ...passed, ...returned.flatMap(lent)];
}

/** A number or a structure of numbers. */
function plainBytes(argument: Exclude<ArgumentSpec, string>, { shape }: RunRequest): Uint8Array {
  if ("bytes" in argument) return Buffer.from(argument.bytes, "hex");
  if ("buffer" in argument) return new Uint8Array();
  if (!("fields" in argument)) return scalarBytes(scalarOf(argument, shape.shape), argument.dtype);
  const bytes = new Uint8Array(argument.byteLength);
  for (const field of argument.fields)
    if ("value" in field) bytes.set(scalarBytes(scalarOf(field, shape.shape), field.dtype), field.at);
  return bytes;
}

/**
 * Inputs as they are, then the outputs that are no inputs and scratch, filled with a pattern that no correct
 * kernel leaves.
 */
function lentBuffers({ shape, inputs, fill = "first" }: RunRequest): {
  readonly buffers: readonly LentBuffer[];
  readonly index: ReadonlyMap<string, number>;
} {
  const outputs = new Set(shape.outputs.map(({ name }) => name));
  const buffers: LentBuffer[] = shape.inputs.map(({ name }, position) => ({
    name,
    content: at(inputs, position),
    isUnwritten: false,
    isReadOnly: !outputs.has(name),
  }));
  const index = new Map(buffers.map(({ name }, position) => [name, position]));
  for (const output of [...shape.outputs, ...(shape.scratch ?? [])]) {
    if (index.has(output.name)) continue;
    index.set(output.name, buffers.length);
    const content = poisoned(output, fill);
    buffers.push({ name: output.name, content, isUnwritten: true, isReadOnly: false });
  }
  return { buffers, index };
}
