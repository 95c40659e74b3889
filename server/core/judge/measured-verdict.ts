import type { MeasuredAgainst, MeasuredShape, Measurement } from "../hardware/measurement";
import { describeMeasuredShape } from "../words/measurement";

/**
 * How two measurements compare. `gain`: fraction of the time that is saved on the shape where they are
 * furthest apart; 0 where they are the same.
 */
interface MeasuredDifference {
  readonly kind: "better" | "same" | "worse";
  readonly gain: number;
  readonly sentence: string;
}

/** A shape that both were timed on, each against the baseline. */
interface TimedPair {
  readonly own: Ratio;
  readonly other: Ratio;
}

type Decision = Omit<MeasuredDifference, "sentence">;

type Ratio = Pick<MeasuredAgainst, "ratio" | "lower" | "upper">;

/** The baseline itself, which was timed against nothing, is as fast as itself. */
const itself: Ratio = { ratio: 1, lower: 1, upper: 1 };

/**
 * Compares times that were taken on the same GPU; undefined where there are none on both sides. Each was
 * timed against the baseline: between two candidates one is ahead where the intervals of their ratios do not
 * overlap, and behind nowhere.
 */
export function compareMeasured(
  challenger: Measurement | undefined,
  champion: Measurement | undefined,
): MeasuredDifference | undefined {
  if (challenger === undefined || challenger.before.uuid !== champion?.before.uuid) return undefined;
  const told = challenger.shapes.map(describeMeasuredShape).join("; ");
  const sentence = `measured on ${challenger.before.name}: ${told}`;
  if (champion.kind === undefined || challenger.kind !== "faster")
    return { ...againstBaseline(challenger), sentence };
  return { ...betweenTwo(challenger, champion), sentence };
}

/** A candidate that was not found faster than the baseline is ahead of no other one. */
function againstBaseline({ kind, shapes }: Measurement): Decision {
  const pairs = shapes.map(({ comparison }) => ({ own: comparison ?? itself, other: itself }));
  if (kind === "faster") return decision("better", pairs);
  return decision(kind === "slower" ? "worse" : "same", pairs);
}

function betweenTwo(challenger: Measurement, champion: Measurement): Decision {
  const pairs = challenger.shapes.flatMap((shape) => pairOf(shape, championOf(champion, shape)));
  const isAhead = pairs.some(({ own, other }) => own.lower > other.upper);
  const isBehind = pairs.some(({ own, other }) => own.upper < other.lower);
  if (isAhead === isBehind) return decision("same", pairs);
  return decision(isAhead ? "better" : "worse", pairs);
}

function pairOf({ comparison: own }: MeasuredShape, champion: MeasuredShape | undefined): TimedPair[] {
  const other = champion?.comparison;
  return own === undefined || other === undefined ? [] : [{ own, other }];
}

function decision(kind: Decision["kind"], pairs: readonly TimedPair[]): Decision {
  if (kind === "same") return { kind, gain: 0 };
  const ratios = pairs.map(({ own, other }) => own.ratio / other.ratio);
  return { kind, gain: 1 - 1 / (kind === "better" ? Math.max(...ratios) : Math.min(...ratios)) };
}

/** The champion's time of the same shape and cache state. */
function championOf(champion: Measurement, shape: MeasuredShape): MeasuredShape | undefined {
  return champion.shapes.find(
    ({ sizes, cache }) => cache === shape.cache && JSON.stringify(sizes) === JSON.stringify(shape.sizes),
  );
}
