import { type CounterRow, counterRows, type SiteAccess, type SiteSource } from "./counter-rows";

export type CounterName = keyof typeof counterRows;

/** A row as its readers see it. */
interface CounterEntry extends Omit<CounterRow, "ideal"> {
  readonly ideal?: CounterName | 0;
}

export const counterCatalogue: Readonly<Record<CounterName, CounterEntry>> = counterRows;

export const counterNames = Object.keys(counterRows) as readonly CounterName[];

/** The rows that have a field, in the order of the table. */
export function countersWith<Field extends keyof CounterEntry>(
  field: Field,
): readonly (readonly [CounterName, NonNullable<CounterEntry[Field]>])[] {
  return counterNames.flatMap((name) => {
    const value = counterCatalogue[name][field];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** What is compared between two versions, the most telling first. */
export const comparedCounters: readonly CounterName[] = countersWith("comparedAs")
  .toSorted(([, a], [, b]) => a - b)
  .map(([name]) => name);

/** Counters that stand in a row and a column of their own. */
export const loneCounters: readonly CounterName[] = countersWith("alone").map(([name]) => name);

/** Counters that a memory instruction adds to, by what it does. */
export const siteCounters: Readonly<Record<SiteAccess, readonly (readonly [CounterName, SiteSource])[]>> = {
  load: siteCountersOf("load"),
  store: siteCountersOf("store"),
  atomic: siteCountersOf("atomic"),
};

function siteCountersOf(access: SiteAccess): readonly (readonly [CounterName, SiteSource])[] {
  return countersWith("site").filter(([, { of }]) => of.includes(access));
}
