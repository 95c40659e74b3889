import {
  isWalkedAsCounted,
  type LaunchModel,
  type LaunchSample,
  type LineTime,
  type TimelineStretch,
  type WarpActivity,
  type WarpShares,
} from "../timing/execution/launch-model";
import { formatName, readableName } from "../base/symbols/symbol-name";
import { describeNanoseconds, describeShare, groupDigits } from "./quantities";

/** What a warp does, in words of a report; the letters stand in the timeline. */
export const activities: Readonly<Record<WarpActivity, { readonly words: string; readonly letter: string }>> =
  {
    issued: { words: "issued", letter: "#" },
    notSelected: { words: "ready, another warp issued", letter: "-" },
    fixed: { words: "fixed latency of the instruction before", letter: "." },
    unit: { words: "unit busy", letter: "u" },
    queue: { words: "queue of memory instructions full", letter: "q" },
    shared: { words: "shared memory or shuffle", letter: "s" },
    memory: { words: "global or local memory", letter: "m" },
    barrier: { words: "barrier", letter: "b" },
    other: { words: "special unit or conversion", letter: "x" },
  };
/** Work first, then what is nearest to work. */
export const activityOrder = Object.keys(activities) as readonly WarpActivity[];
const order = activityOrder;

const barWidth = 48;
const timelineRows = 24;
const linesAtMost = 16;
const least = 0.005;

/**
 * A simulated launch as lines of text: the sum, the timeline of the multiprocessor, and the costliest lines.
 */
export function modelRows(model: LaunchModel, width: number): readonly string[] {
  const timed = describeNanoseconds(model.nanoseconds + model.launchNanoseconds);
  const legend = order.map((activity) => `${activities[activity].letter} ${activities[activity].words}`);
  const kernel = formatName(readableName(model.kernel));
  return [
    `${kernel}: modelled ${describeNanoseconds(model.nanoseconds)} on ${model.gpu} (${model.architecture})`,
    `  with its launch ${timed}: events tell ${describeNanoseconds(model.launchNanoseconds)} of a kernel that does nothing`,
    ...summary(model),
    "",
    "what the resident warps do, from start to end of the simulated stretch",
    ...joined(legend, width),
    ...timeline(model.timeline),
    "",
    "by source line, share of the warps' time",
    ...model.lines
      .filter(({ share }) => share >= least)
      .slice(0, linesAtMost)
      .flatMap(lineRows),
  ];
}

function summary(model: LaunchModel): readonly string[] {
  const { mapping, simulatedShare, sample } = model;
  const busiest = Object.entries(model.busy)
    .filter(([, share]) => share >= least)
    .sort(([, a], [, b]) => b - a)
    .map(([unit, share]) => `${unitWords[unit] ?? unit} ${describeShare(share)}`);
  const simulated =
    simulatedShare < 1 ? `; ${describeShare(simulatedShare)} of it simulated, the rest at the same pace` : "";
  const instructions = `${mapping.machineInstructions.toFixed(0)} machine instructions a warp for ${mapping.ptxInstructions.toFixed(0)} of PTX`;
  const matched =
    mapping.method === "graph"
      ? `matched by control flow, ${describeShare(mapping.deviation)} off`
      : "too many branches to match: taken line by line";
  const astray = isWalkedAsCounted(model)
    ? []
    : [
        `  not to be used  the simulated warps issued ${describeShare(mapping.walked)} of these instructions: their way through the code is not known`,
      ];
  return [
    `  multiprocessor  ${model.blocks} blocks, ${model.residentBlocks} at a time (${model.residentWarps} warps), ${model.clocks.toFixed(0)} clocks${simulated}`,
    `  issue           ${model.instructionsPerClock.toFixed(2)} of 4 instructions a clock`,
    `  busy            ${busiest.join(", ")}`,
    `  code            ${instructions}, ${matched}`,
    ...(sample === undefined ? [] : [sampleRow(sample)]),
    ...astray,
  ];
}

/** Which blocks were counted, and how far those differ. */
function sampleRow({ blocks, of, error }: LaunchSample): string {
  const apart =
    error < 0.0005 ? "which do not differ" : `whose counts are ${describeShare(error)} off at most`;
  return `  counted         ${groupDigits(blocks)} of ${groupDigits(of)} blocks, ${apart}`;
}

/** Names of units in a report. */
export const unitWords: Readonly<Record<string, string>> = {
  fma: "FP32",
  heavy: "multiplying half of FP32",
  alu: "integer and logic",
  fp64: "FP64",
  special: "special functions",
  uniform: "uniform",
  exchange: "shuffles",
  tensor: "tensor",
  loadStore: "loads and stores",
  secondLevel: "L2",
  dram: "DRAM",
  atomics: "atomics at L2",
};

function timeline(stretches: readonly TimelineStretch[]): readonly string[] {
  const step = Math.max(1, Math.ceil(stretches.length / timelineRows));
  const shown = stretches.filter((_, index) => index % step === 0);
  return shown.map(({ fromNanoseconds, instructionsPerClock, activities: shares }) => {
    const from = describeNanoseconds(fromNanoseconds).padStart(9);
    return `${from}  ${bar(shares)}  ${instructionsPerClock.toFixed(2)} a clock`;
  });
}

/** One letter for each part of the warps' time. */
function bar(shares: WarpShares): string {
  let [text, reached] = ["", 0];
  for (const activity of order) {
    reached += shares[activity] * barWidth;
    text += activities[activity].letter.repeat(Math.max(0, Math.round(reached) - text.length));
  }
  return text.slice(0, barWidth).padEnd(barWidth);
}

function lineRows({
  file,
  line,
  share,
  instructions,
  activities: shares,
  waitsFor,
}: LineTime): readonly string[] {
  const parts = order
    .filter((activity) => shares[activity] >= least)
    .sort((a, b) => shares[b] - shares[a])
    .map((activity) => `${activities[activity].words} ${describeShare(shares[activity])}`);
  const waits = waitsFor
    .filter((wait) => wait.share >= least)
    .map((wait) => `${placeText(wait.file, wait.line)} ${describeShare(wait.share)}`);
  return [
    `${describeShare(share).padStart(6)}  ${placeText(file, line)}  ${instructions.toFixed(0)} instructions: ${parts.join(", ")}`,
    ...(waits.length === 0 ? [] : [`        waits for ${waits.join(", ")}`]),
  ];
}

function placeText(file: string, line: number): string {
  return line === 0 ? "no line" : `${file.replace(/^.*[\\/]/, "")}:${line}`;
}

function joined(parts: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= width)
      rows[rows.length - 1] = `${last}   ${part}`;
    else rows.push(`  ${part}`);
  }
  return rows;
}
