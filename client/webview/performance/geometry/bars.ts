import type { ComparedFigure } from "../../../../server/protocol/performance-views";

/** One bar: what a resource takes by itself. */
export interface Bar {
  readonly role: ComparedFigure["role"];
  readonly nanoseconds: number;
  /** Of the longest bar of all, 0 to 1. */
  readonly length: number;
  /** Of the time of its figure: by simulation where that is known of all figures, else the modelled bound. */
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

/** The name of the bars that stand for all resources together. */
export const wholeTime = "whole";

/** Below this share of the longest bar a resource is not worth one. */
const leastShare = 0.002;

/**
 * A group for each resource that takes time in any figure; what takes longest first. Before them stands the
 * time by simulation, where there is one: it is longer than any resource alone.
 */
export function barsOf(figures: readonly ComparedFigure[]): Bars {
  const longest = Math.max(
    Number.MIN_VALUE,
    ...figures.flatMap(({ terms, floorNanoseconds }) => [
      ...terms.map(({ nanoseconds }) => nanoseconds),
      floorNanoseconds ?? 0,
    ]),
    ...figures.map(({ simulatedNanoseconds }) => simulatedNanoseconds ?? 0),
  );
  const whole: BarGroup = {
    resource: wholeTime,
    bars: figures.flatMap(({ role, simulatedNanoseconds: nanoseconds }) =>
      nanoseconds === null
        ? []
        : [{ ...{ role, nanoseconds }, length: nanoseconds / longest, share: 1, binds: false }],
    ),
  };
  const time = comparableTime(figures);
  const names = [...new Set(figures.flatMap(({ terms }) => terms.map(({ name }) => name)))];
  const groups = names.map((resource): BarGroup => {
    const bars = figures.flatMap(({ role, terms, binding, ...figure }) =>
      terms
        .filter(({ name }) => name === resource)
        .map(({ nanoseconds }): Bar => ({
          ...{ role, nanoseconds },
          length: nanoseconds / longest,
          share: nanoseconds === 0 ? 0 : nanoseconds / time(figure),
          binds: binding === resource,
        })),
    );
    return { resource, bars };
  });
  const greatest = ({ bars }: BarGroup): number => Math.max(...bars.map(({ length }) => length));
  return {
    groups: [
      ...(whole.bars.length === 0 ? [] : [whole]),
      ...groups.filter((group) => greatest(group) >= leastShare).sort((a, b) => greatest(b) - greatest(a)),
    ],
    floors: figures.flatMap(({ role, floorNanoseconds }) =>
      floorNanoseconds === null ? [] : [{ role, at: floorNanoseconds / longest }],
    ),
  };
}

type Timed = Pick<ComparedFigure, "simulatedNanoseconds" | "nanoseconds">;

/** How long a figure takes, as well as that is known. */
export function timeOf({ simulatedNanoseconds, nanoseconds }: Timed): number {
  return simulatedNanoseconds ?? nanoseconds;
}

/** The time of each of several figures by one measure: a bound beside a simulated time would look faster. */
export function comparableTime(figures: readonly Timed[]): (figure: Timed) => number {
  const areSimulated = figures.every(({ simulatedNanoseconds }) => simulatedNanoseconds !== null);
  return areSimulated ? timeOf : ({ nanoseconds }) => nanoseconds;
}
