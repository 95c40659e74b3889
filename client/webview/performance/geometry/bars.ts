import type { ComparedFigure } from "../../../../server/protocol/performance-views";

/** One bar: what a resource takes by itself. */
export interface Bar {
  readonly role: ComparedFigure["role"];
  readonly nanoseconds: number;
  /** Of the longest bar of all, 0 to 1. */
  readonly length: number;
  /** Of the modelled time of its figure. */
  readonly share: number;
  readonly binds: boolean;
}

/** The bars of one resource, one for each figure that uses it. */
interface BarGroup {
  readonly resource: string;
  readonly bars: readonly Bar[];
}

interface Bars {
  readonly groups: readonly BarGroup[];
  /** The least time that the data needs, where it stands among the bars, 0 to 1; null where unknown. */
  readonly floors: readonly { readonly role: ComparedFigure["role"]; readonly at: number }[];
}

/** Below this share of the longest bar a resource is not worth one. */
const leastShare = 0.002;

/** A group for each resource that takes time in any figure; what takes longest first. */
export function barsOf(figures: readonly ComparedFigure[]): Bars {
  const longest = Math.max(
    Number.MIN_VALUE,
    ...figures.flatMap(({ terms, floorNanoseconds }) => [
      ...terms.map(({ nanoseconds }) => nanoseconds),
      floorNanoseconds ?? 0,
    ]),
  );
  const names = [...new Set(figures.flatMap(({ terms }) => terms.map(({ name }) => name)))];
  const groups = names.map((resource): BarGroup => {
    const bars = figures.flatMap(({ role, terms, binding, nanoseconds: whole }) =>
      terms
        .filter(({ name }) => name === resource)
        .map(({ nanoseconds }): Bar => ({
          ...{ role, nanoseconds },
          length: nanoseconds / longest,
          share: whole > 0 ? nanoseconds / whole : 0,
          binds: binding === resource,
        })),
    );
    return { resource, bars };
  });
  const greatest = ({ bars }: BarGroup): number => Math.max(...bars.map(({ length }) => length));
  return {
    groups: groups.filter((group) => greatest(group) >= leastShare).sort((a, b) => greatest(b) - greatest(a)),
    floors: figures.flatMap(({ role, floorNanoseconds }) =>
      floorNanoseconds === null ? [] : [{ role, at: floorNanoseconds / longest }],
    ),
  };
}
