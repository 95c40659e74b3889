import { describeNanoseconds } from "../../core/kernel/describe";
import { type GpuModel, defaultGpu, knownArchitectures } from "../../core/kernel/gpu-model";
import { type KernelProfile, type ProfileSummary, type ProfiledLine, summarizeProfile } from "../../core/kernel/profile";
import { quietTerm, summaryRows } from "../../core/kernel/profile-text";
import { describeCount, describeShare } from "../../core/kernel/quantities";
import { formatTable } from "./terminal";

/** Lines of a kernel that a report shows; the others cost less. */
const linesAtMost = 24;

/** The GPUs that `--arch` names: one, or those of all architectures for `all`. Undefined when the word is none. */
export function readArchitectures(word: string): readonly GpuModel[] | undefined {
  const known = knownArchitectures();
  if (word === "all") return known.map(defaultGpu);
  return known.includes(word) ? [defaultGpu(word)] : undefined;
}

/** The words that `readArchitectures` takes. */
export function architectureWords(): readonly string[] {
  return [...knownArchitectures(), "all"];
}

/**
 * What a kernel developer wants to see of some kernels, as lines of text that still have to be made plain. The first GPU's figures in full;
 * for several GPUs one row each on top.
 */
export function profileReport(profiles: readonly KernelProfile[], gpus: readonly GpuModel[]): readonly string[] {
  return profiles.flatMap((profile, index) => [...(index === 0 ? [] : [""]), ...kernelReport(profile, gpus)]);
}

function kernelReport(profile: KernelProfile, gpus: readonly GpuModel[]): readonly string[] {
  const summaries = gpus.map((gpu) => summarizeProfile(profile, gpu));
  const [first] = summaries;
  if (first === undefined) return [];
  if (summaries.length > 1) return [launchText(first), ...[...formatTable(architectureRows(summaries)), ...compiledFor(profile)].map(indent)];
  return [`${launchText(first)} (${first.architecture}, ${first.gpu})`, ...formatTable(summaryRows(first, profile)).map(indent), "", ...formatTable(lineRows(first)), ...leftOut(first)];
}

function indent(line: string): string {
  return `  ${line}`;
}

function launchText({ kernel, launches, shape }: ProfileSummary): string {
  const each = `${shape.blocks === 1 ? "1 block" : `${describeCount(shape.blocks)} blocks`} of ${shape.threadsPerBlock} threads`;
  return `${kernel}: ${launches === 1 ? each : `${launches} launches, the longest of ${each}`}`;
}

function compiledFor({ facts }: KernelProfile): readonly string[] {
  return [...new Set(facts.map((fact) => `registers and shared memory as compiled for ${fact.architecture}: ${fact.registers} registers`))];
}

function lineRows({ lines }: ProfileSummary): readonly (readonly string[])[] {
  const shown = lines.slice(0, linesAtMost);
  const used = columns.filter(([, cell]) => shown.some((line) => cell(line) !== ""));
  return [["line", ...used.map(([name]) => name)], ...shown.map((line) => [`${line.counters.file}:${line.counters.line}`, ...used.map(([, cell]) => cell(line))])];
}

function against(value: number, ideal: number): string {
  return value === 0 && ideal === 0 ? "" : `${describeCount(value)} (${describeCount(ideal)})`;
}

const columns: readonly (readonly [string, (line: ProfiledLine) => string])[] = [
  ["cost", ({ share }) => (share < 0.0005 ? "" : describeShare(share))],
  ["executed", ({ counters }) => describeCount(counters.instructions)],
  ["lanes", ({ counters }) => (counters.instructions === 0 ? "" : String(Number((counters.threadInstructions / counters.instructions).toFixed(1))))],
  ["sectors (ideal)", ({ counters }) => against(counters.globalLoadSectors + counters.globalStoreSectors, counters.globalLoadSectorsIdeal + counters.globalStoreSectorsIdeal)],
  ["L1/L2/DRAM", ({ bytes }) => (bytes.fromMemory === undefined || bytes.globalLoadSectors === 0 ? "" : [bytes.fromFirstLevel ?? 0, bytes.fromSecondLevel ?? 0, bytes.fromMemory].map((part) => describeShare(part / bytes.globalLoadSectors)).join("/"))],
  ["wavefronts (ideal)", ({ counters }) => against(counters.sharedWavefronts, counters.sharedWavefrontsIdeal)],
  ["SASS", ({ machine }) => (machine === undefined ? "" : String(machine.instructions))],
  ["stalls", ({ machine }) => (machine === undefined ? "" : String(machine.staticStallCycles))],
  ["what", ({ faults }) => faults.join("; ")],
];

function leftOut({ lines }: ProfileSummary): readonly string[] {
  return lines.length > linesAtMost ? [`(${lines.length - linesAtMost} lines that cost less are left out; --json has all)`] : [];
}

/** One row for each GPU. */
function architectureRows(summaries: readonly ProfileSummary[]): readonly (readonly string[])[] {
  const terms = [...new Set(summaries.flatMap(({ bound }) => Object.entries(bound.terms).filter(([, value]) => value > quietTerm * bound.nanoseconds).map(([name]) => name)))];
  return [
    ["arch", "GPU", "modelled bound", "binds", ...terms, "occupancy", "limited by"],
    ...summaries.map(({ architecture, gpu, bound, occupancy }) => [
      architecture, gpu, describeNanoseconds(bound.nanoseconds), bound.binding, ...terms.map((name) => describeNanoseconds(bound.terms[name] ?? 0)),
      describeShare(occupancy.fraction), occupancy.advice === "" || occupancy.limiter === "impossible" ? occupancy.limiter : `${occupancy.limiter}: ${occupancy.advice}`,
    ]),
  ];
}
