import { succeed } from "../../../../core/base/outcome";
import { namesInCall } from "../../../../core/workload/entry/python-call";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import { noDoubts, type WorkloadDoubts } from "../../../../core/workload/doubts";
import type { KernelSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type ExamineMeans, examined } from "./found-task";

interface FilledMeans extends ExamineMeans {
  readonly doubts: (task: EvaluationTask, signal: AbortSignal) => Promise<WorkloadDoubts>;
}

/**
 * Takes an output that the kernel writes only where its inputs say so for one that was zero before: whoever
 * launches it has to fill what it leaves out, and an element that is not written is no fault of the kernel.
 * An input that its host code overwrites is an output, too; what is another in each run can't be compared.
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
      // Host code may return what it has measured.
      if (open.length === 0 && spec.run.kind === "launch") return found;
      const examine = (workload: FoundWorkload): Promise<WorkloadDoubts> =>
        examined(means, request, workload, { ask: means.doubts, otherwise: noDoubts });
      const first = await examine(found.value);
      const whole = withOutputs(found.value, first.overwritten);
      const { sparse, varying } = whole === found.value ? first : await examine(whole);
      const asked = varying.length === 0 ? whole : withDoubt(whole, varying);
      const names = open.filter((name) => sparse.includes(name));
      return succeed(names.length === 0 ? asked : withZeros(asked, names));
    },
  };
}

/** Whether the caller hands an output over, so that it can have filled it. */
function isHandedOver({ run }: KernelSpec, name: string): boolean {
  if (run.kind === "launch") return true;
  return run.entry.arguments.includes(name) || namesInCall(run.entry).has(name);
}

/** With inputs that the host code was seen to overwrite among the outputs. */
function withOutputs(found: FoundWorkload, names: readonly string[]): FoundWorkload {
  if (names.length === 0) return found;
  const { spec } = found;
  const added = names.flatMap((name) => {
    const { dtype, shape } = spec.inputs[name] ?? {};
    return dtype === undefined || shape === undefined ? [] : [[name, { dtype, shape }] as const];
  });
  const origins = Object.fromEntries(names.map((name) => [`outputs.${name}.shape`, "probed" as const]));
  return {
    ...found,
    spec: {
      ...spec,
      outputs: { ...spec.outputs, ...Object.fromEntries(added) },
      origins: { ...spec.origins, ...origins },
    },
  };
}

/**
 * What another run gives anew cannot be compared: what host code returns is left out, where something else is
 * left; that it is a result at all is else a guess.
 */
function withDoubt(found: FoundWorkload, names: readonly string[]): FoundWorkload {
  const { spec, unknowns } = found;
  const steady = Object.entries(spec.outputs).filter(
    ([name]) => !names.includes(name) || isHandedOver(spec, name),
  );
  const outputs = steady.length === 0 ? spec.outputs : Object.fromEntries(steady);
  const path = (name: string): string => `outputs.${name}`;
  const told = names.map((name) => ({
    path: path(name),
    sentence: `${name} is another each time that the same is run on the same inputs, as a measured time is. ${
      outputs[name] === undefined
        ? "It is not compared."
        : "It cannot be compared: call a function that does not hand it back."
    }`,
  }));
  const kept = names.filter((name) => outputs[name] !== undefined);
  const guessed = Object.fromEntries(kept.map((name) => [path(name), "guessed" as const]));
  const origins = Object.entries(spec.origins ?? {}).filter(
    ([at]) => !names.some((name) => outputs[name] === undefined && at.startsWith(`${path(name)}.`)),
  );
  return {
    ...found,
    spec: { ...spec, outputs, origins: { ...Object.fromEntries(origins), ...guessed } },
    unknowns: [...told, ...unknowns],
  };
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
