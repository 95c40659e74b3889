import { t } from "../base/localized";
import type { CommandScore } from "../judge/verdict";

/** `1234 cycles (± 0.4% in 3 runs)`: a number that the command gave, never one of ours. */
export function describeScore({ median, noise, values, unit }: CommandScore): string {
  const figure = Number(median.toPrecision(6));
  const runs = noise === undefined ? t`1 run` : t`± ${(noise * 100).toFixed(1)}% in ${values.length} runs`;
  return `${figure}${unit === undefined ? "" : ` ${unit}`} (${runs})`;
}
