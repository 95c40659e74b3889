import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { EntryConstant, LeftConstants } from "../../../../core/language/cuda/entry/entry-constants";
import { itemBytes } from "../../../../core/workload/item-bytes";
import type { ElementType } from "../../../../core/workload/probe/observation";
import type { ArgumentSpec, EntrySymbol, TensorSpec } from "../../../../core/workload/spec";
import type { FoundWorkload } from "../finders";
import { madeUp, stillZero, symbolOf } from "../unfilled-constants";
import type { PlannedSymbol } from "./planned-symbol";

/** What is known of the constants that an entry leaves to other host code. */
interface KnownConstants {
  readonly left: LeftConstants;
  readonly symbols: readonly PlannedSymbol[];
  /** By the variables' names. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** Why constants cannot be filled as planned: the compiler has laid out a structure in another way. */
export function fillingProblem(
  symbols: readonly PlannedSymbol[],
  bytes: ReadonlyMap<string, number>,
): string | undefined {
  const odd = symbols.find(
    ({ name, holds }) =>
      holds.kind === "numbers" && (bytes.get(name) ?? holds.byteLength) !== holds.byteLength,
  );
  return odd && `how the constant ${odd.name} is laid out is not known`;
}

/** A workload of an entry with the constants that other host code sets, filled by made-up values. */
export function withEntryConstants(
  found: FoundWorkload,
  { left, symbols, bytes }: KnownConstants,
): Outcome<FoundWorkload, string> {
  const { spec } = found;
  if (spec.run.kind !== "entry" || left.constants.length === 0) return succeed(found);
  const tables = symbols.flatMap(({ name, holds }) => {
    const tensor = holds.kind === "buffer" ? tableOf(holds.type, bytes.get(name) ?? 0) : undefined;
    return tensor === undefined ? [] : [[name, tensor] as const];
  });
  if (tables.some(([name]) => (spec.inputs[name] ?? spec.outputs[name]) !== undefined))
    return fail("a constant has the name of an argument");
  const filled = symbols.flatMap((symbol): readonly EntrySymbol[] => {
    const { name, variable, holds } = symbol;
    if (holds.kind === "numbers") return [{ symbol: variable, with: numbersOf(holds) }];
    return tables.some(([table]) => table === name) ? [symbolOf(name, variable)] : [];
  });
  const open = left.constants.filter((each) => each.kind === "table" && each.isOpen);
  const unset = Object.fromEntries(open.flatMap((each) => openTable(each, bytes)));
  const zero = open.map(({ name }) => name);
  const path = (name: string): string => `inputs.${name}.distribution`;
  const numbers = symbols.flatMap(({ name, holds }) => (holds.kind === "numbers" ? name : []));
  const paths = [...tables.map(([name]) => path(name)), ...(numbers.length > 0 ? ["entry.symbols"] : [])];
  const origins = Object.fromEntries(paths.map((each) => [each, "guessed" as const]));
  const { entry } = spec.run;
  return succeed({
    ...found,
    spec: {
      ...spec,
      run: { kind: "entry", entry: filled.length === 0 ? entry : { ...entry, symbols: filled } },
      inputs: { ...spec.inputs, ...Object.fromEntries(tables) },
      origins: { ...spec.origins, ...origins },
    },
    unknowns: [
      ...tables.map(([name]) => ({ path: path(name), sentence: madeUp(name) })),
      ...numbers.map((name) => ({ path: "entry.symbols", sentence: madeUp(name) })),
      ...(zero.length === 0 ? [] : [{ path: "launch.symbols", sentence: `${stillZero(zero)}.` }]),
      ...found.unknowns,
    ],
    ...(Object.keys(unset).length > 0 && {
      unset,
      variables: Object.fromEntries(open.map(({ name, variable }) => [name, variable])),
    }),
  });
}

function numbersOf({
  byteLength,
  numbers,
}: Extract<PlannedSymbol["holds"], { kind: "numbers" }>): ArgumentSpec {
  const placed = numbers.map((each) => ({
    at: each.at,
    value: each.kind === "size" ? each.name : each.value,
    dtype: each.dtype,
  }));
  const [only] = placed;
  if (placed.length !== 1 || only === undefined || byteLength !== itemBytes[only.dtype])
    return { byteLength, fields: placed };
  return { value: only.value, dtype: only.dtype };
}

function tableOf({ dtype }: ElementType, bytes: number): TensorSpec | undefined {
  const count = bytes / itemBytes[dtype];
  if (!Number.isInteger(count) || count < 1) return undefined;
  return { dtype, shape: [count], ...(/^u?int/.test(dtype) && { distribution: "integers" as const }) };
}

function openTable(
  constant: EntryConstant,
  bytes: ReadonlyMap<string, number>,
): readonly (readonly [string, TensorSpec])[] {
  if (constant.kind !== "table" || constant.element.dtype === "bool") return [];
  const tensor = tableOf(constant.element, bytes.get(constant.name) ?? 0);
  return tensor === undefined ? [] : [[constant.name, tensor]];
}
