import { retold, t } from "../base/localized";
import { describeGpu } from "../hardware/gpu-state";
import type { ErrorsOfGpu, ModelError } from "../hardware/model-error";
import type { MeasuredShape, Measurement } from "../hardware/measurement";
import { describeSizes } from "./describe";
import { describeProtection } from "./names/protections";
import { describeNanoseconds, plural } from "./quantities";

/** Chance that the true ratio lies in an interval (`errorShare` of hardware/protocol.json at both ends). */
const intervalTitle = "99.8% interval";

/** One shape in one cache state: the times, and the interval of their ratio. */
export function describeMeasuredShape({ sizes, cache, nanoseconds, comparison }: MeasuredShape): string {
  const where = [describeSizes(sizes), cache].filter((each) => each !== "").join(" ");
  if (comparison === undefined) return `${where} ${describeNanoseconds(nanoseconds)}`;
  const { kind, baselineNanoseconds, ratio, lower, upper } = comparison;
  const times = `${describeNanoseconds(baselineNanoseconds)} → ${describeNanoseconds(nanoseconds)}`;
  return t`${where} ${times}, ${ratio.toFixed(3)} times as fast (${retold(intervalTitle)} ${lower.toFixed(3)} to ${upper.toFixed(3)}): ${retold(kind)}`;
}

const modelNames = { simulation: "the simulation", bound: "the modelled bound" } as const;

/** How far the model was off, as a sentence about one shape. */
function describeModelError(error: ModelError): string {
  const { sizes, cache, by, modelledNanoseconds, launchNanoseconds = 0, ratio } = error;
  const where = [describeSizes(sizes), cache].filter((each) => each !== "").join(" ");
  const said = describeNanoseconds(modelledNanoseconds);
  if (launchNanoseconds === 0)
    return t`${where}: ${retold(modelNames[by])} said ${said}; the GPU took ${ratio.toFixed(2)} times that`;
  return t`${where}: ${retold(modelNames[by])} said ${said}, and launching takes ${describeNanoseconds(launchNanoseconds)}; the GPU took ${ratio.toFixed(2)} times that`;
}

function describeErrors({ count, median, least, greatest }: ErrorsOfGpu, gpu: string): string {
  const range = count === 1 ? "" : t` (${least.toFixed(2)} to ${greatest.toFixed(2)})`;
  return t`of ${plural(count, "shape")} timed on ${gpu} the model was off by a median of ${median.toFixed(2)}${range}; no number is corrected by it`;
}

/** A measurement, a line each: the GPU, the times, the walls, and what the numbers do not rule out. */
export function measurementLines({
  before,
  after,
  shapes,
  protections,
  remarks,
  modelError,
  modelErrors,
}: Measurement): readonly string[] {
  return [
    t`measured on ${describeGpu(before)}; afterwards ${describeGpu(after)}`,
    ...shapes.map((shape) => `  ${describeMeasuredShape(shape)}`),
    protections.length === 0
      ? t`  its process ran without walls`
      : t`  walls around its process: ${protections.map(describeProtection).join(", ")}`,
    ...remarks.map((remark) => `  ${retold(remark)}`),
    ...(modelError === undefined ? [] : [`  ${describeModelError(modelError)}`]),
    ...(modelErrors === undefined ? [] : [`  ${describeErrors(modelErrors, before.name)}`]),
  ];
}
