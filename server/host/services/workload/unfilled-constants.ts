import type { InferredSpec } from "../../../core/language/inference";
import type { ProbedKernel } from "../../../core/ports/prober";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { ElementType } from "../../../core/workload/probe/observation";
import type { EntrySymbol, KernelSpec, TensorSpec } from "../../../core/workload/spec";

type Constants = ProbedKernel["unfilled"];

/** A workload of probes. */
export type ProbedWorkload = InferredSpec & {
  /** `__constant__` variables of whole numbers that hold zeros, and what they are made of. */
  readonly unset?: Readonly<Record<string, TensorSpec>>;
  /** As C++ names them. */
  readonly variables?: Readonly<Record<string, string>>;
};

/**
 * A spec that gives values to the `__constant__` variables which nobody fills: without any, a result would
 * not depend on what they are multiplied with. Bytes and vectors are colours, weights or tables of values.
 * Other whole numbers may be sizes or places: they stay zero, and are named. `elements`: what the variables
 * are made of.
 */
export function withFilledConstants(
  inferred: InferredSpec,
  constants: Constants,
  elements: ReadonlyMap<string, ElementType>,
): ProbedWorkload {
  const { spec } = inferred;
  if (spec.run.kind !== "launch" || constants.length === 0) return inferred;
  const taken = new Set([...Object.keys(spec.inputs), ...Object.keys(spec.outputs)]);
  const free = constants.filter(({ name }) => !taken.has(name));
  const filled = Object.fromEntries(free.flatMap((each) => tensorOf(each, elements, isOfValues)));
  const unset = Object.fromEntries(
    free.flatMap((each) => (filled[each.name] ? [] : tensorOf(each, elements, isWhole))),
  );
  const zero = free.flatMap(({ name }) => (filled[name] ? [] : name));
  const found = Object.keys(filled).length === 0 ? inferred : withConstants(inferred, filled);
  const still = { path: "launch.symbols", sentence: `${stillZero(zero)}.` };
  return {
    ...found,
    unknowns: zero.length === 0 ? found.unknowns : [still, ...found.unknowns],
    ...(Object.keys(unset).length > 0 && { unset }),
  };
}

/** A workload that hands such constants over as inputs. */
export function withConstants<Found extends ProbedWorkload>(
  found: Found,
  tensors: Readonly<Record<string, TensorSpec>>,
): Found {
  const { spec, unknowns } = found;
  const names = Object.keys(tensors);
  const path = (name: string): string => `inputs.${name}.distribution`;
  return {
    ...found,
    spec: {
      ...spec,
      run: withSymbols(spec.run, names, found.variables),
      inputs: { ...spec.inputs, ...tensors },
      origins: { ...spec.origins, ...Object.fromEntries(names.map((name) => [path(name), "guessed"])) },
    },
    unknowns: [
      ...names.map((name) => ({
        path: path(name),
        sentence: madeUp(name),
      })),
      ...unknowns,
    ],
  };
}

function withSymbols(
  run: KernelSpec["run"],
  names: readonly string[],
  variables: ProbedWorkload["variables"] = {},
): KernelSpec["run"] {
  if (run.kind === "launch")
    return { kind: "launch", launch: { ...run.launch, symbols: [...(run.launch.symbols ?? []), ...names] } };
  const added = names.map((name) => symbolOf(name, variables[name] ?? name));
  return { kind: "entry", entry: { ...run.entry, symbols: [...(run.entry.symbols ?? []), ...added] } };
}

/** A variable that holds the input of its name. */
export function symbolOf(name: string, variable: string): EntrySymbol {
  return variable === name ? name : { symbol: variable, with: name };
}

/** Says that a constant is filled with what was made up. */
export function madeUp(name: string): string {
  return `nothing that was looked at fills the constant ${name}: it is given made-up numbers.`;
}

/** Says that constants hold zeros, and what to do about it. */
export function stillZero(names: readonly string[]): string {
  const [they, hold] = names.length === 1 ? ["it", "holds"] : ["they", "hold"];
  const which = `the constant${names.length === 1 ? "" : "s"} ${names.join(", ")}`;
  return `nothing that was looked at fills ${which}: ${they} ${hold} zeros. Record the program that fills ${they === "it" ? "it" : "them"}`;
}

function isOfValues({ dtype, width }: ElementType): boolean {
  return dtype.includes("float") || itemBytes[dtype] === 1 || width > 1;
}

function isWhole({ dtype }: ElementType): boolean {
  return /^u?int/.test(dtype);
}

/** The constant by its name, where it is made of what is asked for. */
function tensorOf(
  { name, bytes }: Constants[number],
  elements: ReadonlyMap<string, ElementType>,
  isAsked: (element: ElementType) => boolean,
): readonly (readonly [string, TensorSpec])[] {
  const element = elements.get(name);
  if (element === undefined || element.dtype === "bool" || !isAsked(element)) return [];
  const count = bytes / itemBytes[element.dtype];
  if (!Number.isInteger(count) || count < 1) return [];
  const distribution = isWhole(element) ? { distribution: "integers" as const } : {};
  return [[name, { dtype: element.dtype, shape: [count], ...distribution }]];
}
