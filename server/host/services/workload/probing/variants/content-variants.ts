import { at } from "../../../../../core/base/known";
import type { AskedNumber } from "../../../../../core/language/cuda/launch/asked-numbers";
import type { AskedValues } from "../../../../../core/language/cuda/launch/compared-values";
import type { ProbeContent } from "../../../../../core/workload/probe/observation";
import type { PlannedArgument } from "../arguments/planned-argument";

/** What buffers hold in one launch of a probe, in the place of the plain content. */
export type ContentVariant = ReadonlyMap<string, ProbeContent>;

/** Values that elements are asked for, by their buffers: the least and the greatest. */
export type AskedRanges = ReadonlyMap<string, { readonly low: number; readonly high: number }>;

/** Numbers in turn that are likely indices; the greatest is the plain one. */
const inTurn = [3, 2, 1];
/** Floats in turn, as many as no structure has members: the last bits of each are others, as of flags. */
const floatsInTurn = Array.from({ length: 7 }, (_, index) => 0.75 + index * 2 ** -24);
/** What a parameter is passed that elements are compared with: 0 and 1 often mean something. */
export const askedParameter = 2;

/**
 * Launches with other contents than the same number everywhere, with which a kernel may do nothing: edges
 * from a node to itself, states of which none is the one that is waited for. One has the first number that is
 * asked for wherever one is; the others have several in turn, in each buffer beginning with another one.
 */
export function contentVariants(
  planned: readonly PlannedArgument[],
  { asked, ends }: Pick<AskedValues, "asked" | "ends">,
): readonly ContentVariant[] {
  // Where rows end before they begin, a loop from one to the other may never end. Bytes are no places.
  const isVaried = (name: string, dtype: string): boolean =>
    /^u?int/.test(dtype) && (dtype.endsWith("int8") || !ends.has(name));
  const buffers = planned.flatMap((each) =>
    each.kind === "buffer" && isVaried(each.name, each.type.dtype) ? each.name : [],
  );
  const same = buffers.flatMap((name) => {
    const [value] = valuesOf(asked.get(name) ?? []);
    return value === undefined ? [] : [[name, { kind: "constant", value }] as const];
  });
  const turns = [0, 1].map((start) =>
    buffers.map((name, index) => {
      const values = valuesOf(asked.get(name) ?? []);
      const own = values.length === 0 ? inTurn : [...values, at(values, 0) + 1];
      return [name, { kind: "cycle", values: rotated(own, index + start) }] as const;
    }),
  );
  const floats = planned.flatMap((each) =>
    each.kind === "buffer" && each.type.dtype === "float32"
      ? [[each.name, { kind: "cycle", values: floatsInTurn }] as const]
      : [],
  );
  return [same, ...turns].map((contents) => new Map<string, ProbeContent>([...contents, ...floats]));
}

/** From the least number that is asked for to the greatest. */
export function askedRanges(asked: ReadonlyMap<string, readonly AskedNumber[]>): AskedRanges {
  return new Map(
    [...asked].map(([name, numbers]) => {
      const values = valuesOf(numbers);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      return [name, { low, high: high === low ? high + 1 : high }];
    }),
  );
}

/**
 * What a variant says of a buffer, where the search says nothing. Numbers in turn stay as far apart around a
 * constant of the search, which is the largest of them then.
 */
export function variedContent(
  varied: ProbeContent | undefined,
  searched: ProbeContent | undefined,
): ProbeContent | undefined {
  if (varied?.kind !== "cycle" || searched?.kind !== "constant") return searched ?? varied;
  const step = searched.value - Math.max(...varied.values);
  return { kind: "cycle", values: varied.values.map((value) => value + step) };
}

/** What elements are asked for, each value once. */
export function valuesOf(asked: readonly AskedNumber[]): readonly number[] {
  const values = asked.map(({ of, step }) => (typeof of === "number" ? of : askedParameter) + step);
  return [...new Set(values)];
}

function rotated(values: readonly number[], by: number): readonly number[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
