import { at, mustGet } from "../../../core/base/known";
import type { EntryArgument, LentBuffer } from "../../../core/ports/entry-programs";
import type { ArgumentSpec } from "../../../core/workload/spec";
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
}

/** The buffers of a case and the entry's arguments as the harness reads them (`harness.ts`). */
export function caseGiven(request: RunRequest, given: readonly ArgumentSpec[]): CaseGiven {
  const { buffers, index } = lentBuffers(request);
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
  return { buffers, index, arguments: [...passed, ...returned.flatMap(lent)] };
}

/**
 * Inputs as they are, then the outputs that are no inputs, filled with a pattern that no correct kernel
 * leaves.
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
  for (const output of shape.outputs) {
    if (index.has(output.name)) continue;
    index.set(output.name, buffers.length);
    const content = poisoned(output, fill);
    buffers.push({ name: output.name, content, isUnwritten: true, isReadOnly: false });
  }
  return { buffers, index };
}
