import { succeed } from "../../../../core/base/outcome";
import { namesInCall } from "../../../../core/workload/entry/python-call";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { KernelSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type ExamineMeans, examined } from "./found-task";

interface FilledMeans extends ExamineMeans {
  /** Outputs of which other elements stay unwritten for other inputs. */
  readonly sparseOutputs: (task: EvaluationTask, signal: AbortSignal) => Promise<readonly string[]>;
}

/**
 * Takes an output that the kernel writes only where its inputs say so for one that was zero before: whoever
 * launches it has to fill what it leaves out, and an element that is not written is no fault of the kernel.
 */
export function withFilledOutputs(finder: WorkloadFinder, means: FilledMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok) return found;
      const { spec } = found.value;
      const open = Object.keys(spec.outputs).filter(
        (name) => spec.inputs[name] === undefined && isHandedOver(spec, name),
      );
      if (open.length === 0) return found;
      const sparse = await examined(means, request, found.value, {
        ask: means.sparseOutputs,
        otherwise: [],
      });
      const names = open.filter((name) => sparse.includes(name));
      return names.length === 0 ? found : succeed(withZeros(found.value, names));
    },
  };
}

/** Whether the caller hands an output over, so that it can have filled it. */
function isHandedOver({ run }: KernelSpec, name: string): boolean {
  if (run.kind === "launch") return true;
  return run.entry.arguments.includes(name) || namesInCall(run.entry).has(name);
}

function withZeros(found: FoundWorkload, names: readonly string[]): FoundWorkload {
  const { spec, unknowns } = found;
  const path = (name: string): string => `inputs.${name}.distribution`;
  const filled = names.flatMap((name) => {
    const output = spec.outputs[name];
    return output === undefined
      ? []
      : [[name, { ...output, distribution: { kind: "constant", value: 0 } as const }] as const];
  });
  const guessed = names.map((name) => ({
    path: path(name),
    sentence: `which elements of ${name} are written depends on what the inputs hold; that the others are 0 before the launch is a guess.`,
  }));
  return {
    ...found,
    spec: {
      ...spec,
      inputs: { ...spec.inputs, ...Object.fromEntries(filled) },
      origins: { ...spec.origins, ...Object.fromEntries(names.map((name) => [path(name), "guessed"])) },
    },
    unknowns: [...guessed, ...unknowns],
  };
}
