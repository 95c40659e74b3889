import { describeNanoseconds } from "../../core/kernel/describe";
import { type GpuModel, defaultGpu, knownArchitectures } from "../../core/kernel/gpu-model";
import { type KernelProfile, type MovedBytes, type ProfileSummary, type ProfiledLine, summarizeProfile } from "../../core/kernel/profile";
import { describeBytes, describeCount, describeShare } from "../../core/kernel/quantities";
import type { ModelledBound } from "../../core/kernel/verdict";
import { formatTable } from "./terminal";

/** Lines of a kernel that a report shows; the others cost less. */
const linesAtMost = 24;
/** Terms below this share of the greatest are not worth a word. */
const quietTerm = 0.01;

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
  return [`${launchText(first)} (${first.architecture}, ${first.gpu})`, ...summaryLines(first, profile).map(indent), "", ...formatTable(lineRows(first)), ...leftOut(first)];
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

/** Terms in order, the binding one marked. */
function boundText(bound: ModelledBound): string {
  const greatest = Math.max(...Object.values(bound.terms));
  const terms = Object.entries(bound.terms).filter(([, value]) => value > quietTerm * greatest).sort((a, b) => b[1] - a[1]);
  return `${describeNanoseconds(bound.nanoseconds)}: ${terms.map(([name, value]) => `${name}${name === bound.binding ? " binds" : ""} ${describeNanoseconds(value)}`).join(", ")}`;
}

/** `75% (6 blocks, 48 of 64 warps), limited by registers: 32 registers a thread instead of 40 would let 8 blocks in`. */
export function occupancyText({ occupancy }: ProfileSummary): string {
  const { blocksPerSm, warpsPerSm, warpsAtMost, limiter, advice } = occupancy;
  if (limiter === "impossible") return `none: ${advice}`;
  return `${describeShare(occupancy.fraction)} (${blocksPerSm} blocks, ${warpsPerSm} of ${warpsAtMost} warps), limited by ${limiter.replace("-", " ")}${advice === "" ? "" : `: ${advice}`}`;
}

function summaryLines(summary: ProfileSummary, profile: KernelProfile): readonly string[] {
  const { totals } = profile.counters;
  const shares = Object.entries(summary.classes).map(([name, count]) => `${name} ${describeShare(count / Math.max(1, totals.instructions))}`);
  const rows: readonly (readonly [string, string])[] = [
    ["modelled bound", boundText(summary.bound)],
    ["occupancy", occupancyText(summary)],
    ...machineRows(profile, summary),
    ["instructions", `${describeCount(totals.instructions)} by warps, ${Number(summary.activeLanes.toFixed(1))} of 32 lanes active: ${shares.join(", ")}`],
    ["branches", totals.branches === 0 ? "" : `${describeCount(totals.branches)}, lanes part at ${describeShare(totals.divergentBranches / totals.branches)}`],
    ["operations", operationsText(summary)],
    ...memoryRows(summary.bytes),
    ["shared wavefronts", totals.sharedWavefronts === 0 ? "" : `${describeCount(totals.sharedWavefronts)}, ideal ${describeCount(totals.sharedWavefrontsIdeal)}, at worst ${totals.sharedConflictWays}-way`],
    ["global atomics", atomicsText(totals.globalAtomics, totals.globalAtomicLanes, totals.globalAtomicPasses, totals.globalAtomicWorst)],
    ["shared atomics", atomicsText(totals.sharedAtomics, totals.sharedAtomicLanes, totals.sharedAtomicPasses, totals.sharedAtomicWorst)],
    ["barriers", totals.barriers === 0 ? "" : describeCount(totals.barriers)],
  ];
  return formatTable(rows.filter(([, text]) => text !== ""));
}

function machineRows({ facts }: KernelProfile, { shape }: ProfileSummary): readonly (readonly [string, string])[] {
  return facts.map((fact): readonly [string, string] => {
    const stalls = (fact.machineCode ?? []).reduce((sum, line) => sum + line.staticStallCycles, 0);
    const spilled = fact.spillStoreBytes + fact.spillLoadBytes;
    const parts = [
      `${fact.registers} registers`, spilled === 0 ? "no spills" : `${describeBytes(spilled)} spilled`, `${describeBytes(shape.sharedBytes)} of shared memory a block`,
      ...(stalls === 0 ? [] : [`${stalls} static stall cycles`]),
    ];
    return [`compiled ${fact.architecture}`, parts.join(", ")];
  });
}

function operationsText({ flops, operationsPerByte }: ProfileSummary): string {
  const parts = Object.entries(flops).filter(([, count]) => count > 0).map(([name, count]) => `${describeCount(count)} ${name}`);
  if (parts.length === 0) return "";
  return `${parts.join(", ")}${operationsPerByte === undefined ? "" : `; ${Number(operationsPerByte.toPrecision(3))} for each byte of DRAM`}`;
}

/** Asked for and moved, with where it came from. */
function memoryRows(bytes: MovedBytes): readonly (readonly [string, string])[] {
  const both = (load: number, store: number): string => [load > 0 ? `${describeBytes(load)} loaded` : "", store > 0 ? `${describeBytes(store)} stored` : ""].filter((text) => text !== "").join(", ");
  const { fromFirstLevel = 0, fromSecondLevel = 0, fromMemory } = bytes;
  const levels = fromMemory === undefined ? "" : ` (L1 ${describeBytes(fromFirstLevel)}, L2 ${describeBytes(fromSecondLevel)}, DRAM ${describeBytes(fromMemory)})`;
  return [
    ["global loads", bytes.globalLoadSectors === 0 ? "" : `${describeBytes(bytes.globalLoadAsked)} asked for, ${describeBytes(bytes.globalLoadSectors)} in sectors${levels}`],
    ["global stores", bytes.globalStoreSectors === 0 && (bytes.toMemory ?? 0) === 0 ? "" : `${describeBytes(bytes.globalStoreAsked)} asked for, ${describeBytes(bytes.globalStoreSectors)} in sectors${bytes.toMemory === undefined ? "" : ` (${describeBytes(bytes.toMemory)} back to DRAM)`}`],
    ["shared memory", both(bytes.sharedLoad, bytes.sharedStore)],
    ["local memory", bytes.localSectors === 0 ? "" : `${both(bytes.localLoad, bytes.localStore)}, ${describeBytes(bytes.localSectors)} in sectors`],
  ];
}

function atomicsText(instructions: number, lanes: number, passes: number, worst: number): string {
  if (instructions === 0) return "";
  const mean = Number((passes / instructions).toFixed(1));
  return `${describeCount(instructions)} by warps (${describeCount(lanes)} lanes), ${mean} passes one after the other on average, ${worst} at worst`;
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
