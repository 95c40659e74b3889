import { at } from "../../../../core/base/known";
import type { SourceTree } from "../../../../core/judge/candidate";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { EntrySpec } from "../../../../core/workload/spec";
import type { RunRequest } from "../../evaluation/kernel-runner";
import { candidateCode } from "../../triton/candidate-files";
import { entryArguments } from "../../triton/entry-arguments";
import { RunMemory } from "../../triton/run-memory";
import { bytesWords, type ShapedCall } from "../timed/timed-order";

/**
 * A call of a Python entry with the inputs of a request, as `kernelwright_worker/timed/order.py` reads it:
 * the words are the length and the bytes of a description in JSON. Buffers are the tensors that the entry is
 * handed, then its outputs, which it may have made itself.
 */
export function pythonCall(request: RunRequest, entry: EntrySpec): ShapedCall {
  const memory = new RunMemory(entry, request);
  const { outputs, shape } = request.shape;
  const names = Object.keys(memory.numbers);
  const described = {
    arguments: entryArguments(entry, memory, request),
    names: memory.numbers,
    sizes: { ...shape.sizes, ...shape.values },
    tensors: memory.tensors,
    outputs: outputs.map(({ name, dtype, shape: extents }) => ({
      ...{ name, dtype, shape: extents },
      passed: memory.numberOf(name),
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(described));
  return {
    buffers: [
      ...memory.contents.map(({ byteLength }, number) => ({
        name: at(names, number),
        bytes: byteLength,
        isOutput: false,
      })),
      ...outputs.map(({ name, bytes }) => ({ name, bytes, isOutput: true })),
    ],
    words: [{ value: BigInt(text.byteLength) }, ...bytesWords(text)],
    contents: memory.contents,
    outputs: outputs.map((_, place) => place),
  };
}

/** What the process imports, and what of it is called. */
export function encodedCandidate(
  task: EvaluationTask,
  entry: EntrySpec,
  tree: SourceTree,
): { readonly call: string; readonly files: Uint8Array } {
  const { call, files } = candidateCode(task, entry, tree);
  return { call, files: new TextEncoder().encode(JSON.stringify(files)) };
}
