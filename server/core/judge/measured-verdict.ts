import type { MeasuredShape, Measurement } from "../hardware/measurement";
import { describeMeasuredShape } from "../words/measurement";

/** How two measurements compare. `gain`: fraction of the first shape's time that is saved. */
interface MeasuredDifference {
  readonly kind: "better" | "same" | "worse";
  readonly gain: number;
  readonly sentence: string;
}

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
  const first = challenger.shapes[0];
  const told = challenger.shapes.map(describeMeasuredShape).join("; ");
  const sentence = `measured on ${challenger.before.name}: ${told}`;
  const ratio = speedup(first) / speedup(championOf(champion, first));
  const gain = 1 - 1 / ratio;
  const kind = champion.kind === undefined ? againstBaseline(challenger) : betweenTwo(challenger, champion);
  return { kind, gain: kind === "same" ? 0 : gain, sentence };
}

/** The baseline itself, which was timed against nothing, is as fast as itself. */
function speedup(shape: MeasuredShape | undefined): number {
  return shape?.comparison?.ratio ?? 1;
}

function againstBaseline({ kind }: Measurement): MeasuredDifference["kind"] {
  if (kind === "faster") return "better";
  return kind === "slower" ? "worse" : "same";
}

function betweenTwo(challenger: Measurement, champion: Measurement): MeasuredDifference["kind"] {
  if (challenger.kind !== "faster") return againstBaseline(challenger);
  const pairs = challenger.shapes.map((shape) => [shape.comparison, championOf(champion, shape)?.comparison]);
  const isAhead = pairs.some(
    ([own, other]) => own !== undefined && other !== undefined && own.lower > other.upper,
  );
  const isBehind = pairs.some(
    ([own, other]) => own !== undefined && other !== undefined && own.upper < other.lower,
  );
  if (isAhead === isBehind) return "same";
  return isAhead ? "better" : "worse";
}

/** The champion's time of the same shape and cache state. */
function championOf(champion: Measurement, shape: MeasuredShape | undefined): MeasuredShape | undefined {
  return champion.shapes.find(
    ({ sizes, cache }) => cache === shape?.cache && JSON.stringify(sizes) === JSON.stringify(shape.sizes),
  );
}
