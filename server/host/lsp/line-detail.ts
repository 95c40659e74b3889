import type { LineCounters } from "../../core/kernel/counters";
import type { ProfiledLine } from "../../core/kernel/profile";
import { describeBytes, describeShare } from "../../core/kernel/quantities";

const grouped = new Intl.NumberFormat("en-US");

/** 32768 → `32,768`. */
function count(value: number): string {
  return grouped.format(value);
}

function of(value: number, ideal: number, what: string): string {
  return value === 0 && ideal === 0 ? "" : `${count(value)} ${what}${value > ideal ? ` (ideal ${count(ideal)})` : ""}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function bytes(value: number, verb: string): string {
  return value === 0 ? "" : `${describeBytes(value)} ${verb}`;
}

function atomics(instructions: number, passes: number, worst: number): string {
  return instructions === 0 ? "" : `${count(instructions)} instructions, ${count(passes)} passes one after the other (at worst ${worst} in one)`;
}

const classes: readonly (readonly [keyof LineCounters & `${string}Instructions`, string])[] = [
  ["fp32Instructions", "fp32"], ["fp64Instructions", "fp64"], ["fp16Instructions", "fp16"], ["integerInstructions", "integer"], ["moveInstructions", "move"],
  ["conversionInstructions", "conversion"], ["specialInstructions", "special"], ["tensorInstructions", "tensor"], ["memoryInstructions", "memory"],
  ["warpInstructions", "shuffle"], ["controlInstructions", "control"],
];

function classText(line: LineCounters): string {
  return classes.filter(([name]) => line[name] > 0).sort((a, b) => line[b[0]] - line[a[0]]).map(([name, label]) => `${label} ${describeShare(line[name] / Math.max(1, line.instructions))}`).join(", ");
}

/** What was counted on a line as a Markdown table, a row for each part of the machine that it uses. */
export function lineMarkdown(line: LineCounters, profiled?: ProfiledLine): string {
  const lanes = line.instructions === 0 ? "" : `${Number((line.threadInstructions / line.instructions).toFixed(1))} of 32 lanes active`;
  const flops = joined(...([["fp16Flops", "half"], ["fp32Flops", "single"], ["fp64Flops", "double"], ["tensorFlops", "tensor"]] as const).map(([name, label]) => (line[name] === 0 ? "" : `${count(line[name])} ${label}`)));
  const rows: readonly (readonly [string, string])[] = [
    ["Modelled cost", profiled === undefined || profiled.share < 0.0005 ? "" : `${describeShare(profiled.share)} of all lines'`],
    ["Executed", joined(`${count(line.instructions)} warp instructions`, lanes)],
    ["Classes", classText(line)],
    ["Operations", flops],
    ["Global loads", joined(of(line.globalLoadSectors, line.globalLoadSectorsIdeal, "sectors"), bytes(line.globalLoadBytes, "asked for"), levelText(profiled))],
    ["Global stores", joined(of(line.globalStoreSectors, line.globalStoreSectorsIdeal, "sectors"), bytes(line.globalStoreBytes, "asked for"))],
    ["Shared memory", joined(of(line.sharedWavefronts, line.sharedWavefrontsIdeal, "wavefronts"), line.sharedConflictWays > 1 ? `${line.sharedConflictWays}-way conflict at worst` : "", bytes(line.sharedLoadBytes, "loaded"), bytes(line.sharedStoreBytes, "stored"))],
    ["Local memory", line.localRequests === 0 ? "" : joined(`${count(line.localRequests)} requests`, `${count(line.localSectors)} sectors`, bytes(line.localLoadBytes, "loaded"), bytes(line.localStoreBytes, "stored"))],
    ["Global atomics", atomics(line.globalAtomics, line.globalAtomicPasses, line.globalAtomicWorst)],
    ["Shared atomics", atomics(line.sharedAtomics, line.sharedAtomicPasses, line.sharedAtomicWorst)],
    ["Branches", line.branches === 0 ? "" : joined(count(line.branches), `lanes part at ${count(line.divergentBranches)}`)],
    ["Barriers", line.barriers === 0 ? "" : count(line.barriers)],
  ];
  return ["| | |", "| --- | --- |", ...rows.filter(([, text]) => text !== "").map(([name, text]) => `| ${name} | ${text} |`)].join("\n");
}

/** `served by L1 20%, L2 30%, DRAM 50%`: modelled, from the distances of reuse. */
function levelText(profiled: ProfiledLine | undefined): string {
  const { fromFirstLevel = 0, fromSecondLevel = 0, fromMemory, globalLoadSectors = 0 } = profiled?.bytes ?? {};
  if (fromMemory === undefined || globalLoadSectors === 0) return "";
  const share = (part: number): string => describeShare(part / globalLoadSectors);
  return `served by L1 ${share(fromFirstLevel)}, L2 ${share(fromSecondLevel)}, DRAM ${share(fromMemory)} (modelled)`;
}
