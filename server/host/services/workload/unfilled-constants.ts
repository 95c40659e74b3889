import { constantElement } from "../../../core/language/cuda/constant-variables";
import type { InferredSpec } from "../../../core/language/inference";
import type { ProbedKernel } from "../../../core/ports/prober";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { TensorSpec } from "../../../core/workload/spec";

type Constants = ProbedKernel["unfilled"];

/**
 * A spec that gives values to the `__constant__` variables which nobody fills: without any, a result would
 * not depend on what they are multiplied with. Whole numbers may be sizes or places: they stay zero, and are
 * named.
 */
export function withFilledConstants(
  inferred: InferredSpec,
  constants: Constants,
  texts: readonly string[],
): InferredSpec {
  const { spec, unknowns } = inferred;
  if (spec.run.kind !== "launch" || constants.length === 0) return inferred;
  const taken = new Set([...Object.keys(spec.inputs), ...Object.keys(spec.outputs)]);
  const free = constants.filter(({ name }) => !taken.has(name));
  const filled = free.flatMap((each) => tensorOf(each, texts) ?? []);
  const names = filled.map(({ name }) => name);
  const zero = free.flatMap(({ name }) => (names.includes(name) ? [] : name));
  const path = (name: string): string => `inputs.${name}.distribution`;
  return {
    spec: {
      ...spec,
      run: { kind: "launch", launch: { ...spec.run.launch, ...(names.length > 0 && { symbols: names }) } },
      inputs: {
        ...spec.inputs,
        ...Object.fromEntries(filled.map(({ name, tensor }) => [name, tensor])),
      },
      origins: { ...spec.origins, ...Object.fromEntries(names.map((name) => [path(name), "guessed"])) },
    },
    unknowns: [
      ...names.map((name) => ({
        path: path(name),
        sentence: `nothing that was looked at fills the constant ${name}: it is given made-up numbers.`,
      })),
      ...(zero.length === 0 ? [] : [{ path: "launch.symbols", sentence: `${stillZero(zero)}.` }]),
      ...unknowns,
    ],
  };
}

/** Says that constants hold zeros, and what to do about it. */
export function stillZero(names: readonly string[]): string {
  const [they, hold] = names.length === 1 ? ["it", "holds"] : ["they", "hold"];
  const which = `the constant${names.length === 1 ? "" : "s"} ${names.join(", ")}`;
  return `nothing that was looked at fills ${which}: ${they} ${hold} zeros. Record the program that fills ${they === "it" ? "it" : "them"}`;
}

function tensorOf(
  { name, bytes }: Constants[number],
  texts: readonly string[],
): { readonly name: string; readonly tensor: TensorSpec } | undefined {
  const element = constantElement(texts, name);
  if (element === undefined || !element.dtype.includes("float")) return undefined;
  const count = bytes / itemBytes[element.dtype];
  if (!Number.isInteger(count) || count < 1) return undefined;
  return { name, tensor: { dtype: element.dtype, shape: [count] } };
}
