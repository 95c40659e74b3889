import type { PlannedArgument } from "./planned-argument";

/** The size that a count in the device's memory stands for: the count itself is the name of its buffer. */
export function sizeIn(name: string): string {
  return `${name}_value`;
}

/**
 * What a kernel is passed, with a size of its own for each pointer to a count. Undefined where no such
 * pointer is one to whole numbers.
 */
export function withCounts(
  planned: readonly PlannedArgument[],
  counts: ReadonlySet<string>,
): readonly PlannedArgument[] | undefined {
  const isCount = (each: PlannedArgument): boolean =>
    each.kind === "buffer" && counts.has(each.name) && /^u?int(?:16|32|64)$/.test(each.type.dtype);
  if (!planned.some(isCount)) return undefined;
  return planned.flatMap((each) => {
    if (each.kind !== "buffer" || !isCount(each)) return each;
    const { dtype } = each.type;
    return [
      { ...each, holds: sizeIn(each.name) },
      { kind: "size", name: sizeIn(each.name), dtype },
    ] as const;
  });
}

/** The sizes that buffers hold. */
export function countedSizes(planned: readonly PlannedArgument[]): readonly string[] {
  return planned.flatMap((each) => (each.kind === "buffer" ? (each.holds ?? []) : []));
}
