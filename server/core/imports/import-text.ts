import { oneLine } from "../base/text";
import { counterCatalogue, counterNames } from "../timing/counter-catalogue";
import type { Finding } from "../judge/verdict";
import type { Figures } from "./metric-map";
import type { NcuReport } from "./ncu-report";
import type { LaunchTimes, ProtonReport } from "./proton-report";

/** Names of metrics that are told by name; of more only their number. */
const toldNames = 3;

/** The lines that a terminal shows of what ncu measured: launches, source lines, advice, notes. */
export function ncuLines(report: NcuReport): readonly string[] {
  const launches = report.launches.map(({ kernel, grid, block, device, ...figures }) => {
    const shape = grid === "" ? "" : ` <<<${grid}, ${block}>>>`;
    return `${kernel}${shape}, measured with ncu${device === "" ? "" : ` on ${device}`}: ${figureText(figures)}`;
  });
  const lines = report.lines.flatMap((line) => {
    const text = figureText(line);
    return text === noFigures ? [] : [`${line.file}:${line.line}: ${text}`];
  });
  const advice = report.advice
    .filter(({ text }) => text !== "")
    .map(({ rule, text, speedup }) => {
      const gain = speedup === undefined ? "" : ` (ncu estimates ${speedup}%)`;
      return `ncu's rule ${rule}${gain}: ${text}`;
    });
  return [...launches, ...lines, ...advice, ...unknownText(report.unknownMetrics)].map(oneLine);
}

/** The lines that a terminal shows of a profile of Proton's: kernels, lines of Python, lines of kernels. */
export function protonLines({ device, kernels, lines, launchedFrom }: ProtonReport): readonly string[] {
  const all = kernels.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
  const timed = ({ launches, nanoseconds }: LaunchTimes): string => {
    const share = all === 0 ? 0 : Math.round((100 * nanoseconds) / all);
    return `time ${nanoseconds} ns in ${launches} ${launches === 1 ? "launch" : "launches"}, ${share}% of all kernels' time`;
  };
  const head = `measured with Proton${device === "" ? "" : ` on ${device}`}`;
  return [
    ...kernels.map((kernel) => {
      const figures = figureText(kernel);
      return `${kernel.kernel}, ${head}: ${timed(kernel)}${figures === noFigures ? "" : `, ${figures}`}`;
    }),
    ...launchedFrom.map((from) => `${from.file}:${from.line}: launches kernels: ${timed(from)}`),
    ...lines.map((line) => `${line.file}:${line.line}: ${figureText(line)}`),
    ...(kernels.length + lines.length === 0 ? ["Proton saw no kernel"] : []),
  ].map(oneLine);
}

const noFigures = "no figure that is known here";

function figureText({ counters, measures }: Figures): string {
  const counted = counterNames.flatMap((name) => {
    const value = counters[name];
    return value === undefined || value === 0 ? [] : [`${counterCatalogue[name].title} ${value}`];
  });
  const measured = measures
    .filter(({ value }) => value !== 0)
    .map(({ title, value, unit }) => `${title} ${value}${unit === "" || unit === "%" ? unit : ` ${unit}`}`);
  const parts = [...measured, ...counted];
  return parts.length === 0 ? noFigures : parts.join(", ");
}

function unknownText(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const told = names.slice(0, toldNames).join(", ");
  if (names.length <= toldNames) return [`not shown, since they have no row in ncu-metrics.json: ${told}`];
  return [`not shown: ${names.length} figures without a row in ncu-metrics.json, such as ${told}`];
}

/** `scale.cu:6: Invalid __global__ write of size 4 bytes …, 3 times`. */
export function findingLine({ kind, file, line, message, count, other }: Finding): string {
  const where = line === 0 ? "(no line: compile with -lineinfo)" : `${file}:${line}`;
  const times = count === undefined || count === 1 ? "" : `, ${count} times`;
  const second =
    other === undefined || other.line === 0
      ? ""
      : `; the other access is a ${other.access} at ${other.file}:${other.line}`;
  return oneLine(`${where}: ${kind}: ${message}${second}${times}`);
}
