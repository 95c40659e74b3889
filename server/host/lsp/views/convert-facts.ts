import { describeTarget, resourceWords } from "../../../core/words/names/names";
import type { KernelCounters, LineCounters } from "../../../core/timing/counters";
import { describeMachineLine, describeSizes, machineLineOf } from "../../../core/words/describe";
import type { GpuModel } from "../../../core/timing/gpu-model";
import { type LineFault, lineFaults } from "../../../core/words/line-faults";
import { occupancy } from "../../../core/timing/occupancy";
import { type KernelProfile, type ProfileSummary, summarizeProfile } from "../../../core/words/profile";
import { describeOccupancy, summaryRows } from "../../../core/words/profile-text";
import { describeNanoseconds, describeShare, plural } from "../../../core/words/quantities";
import { usualHelp } from "../../../core/words/usual-help";
import type { CompiledFacts, CorrectVerdict, MachineLine } from "../../../core/judge/verdict";
import type { FactsView, LineFactsView } from "../../../protocol/views";
import type { LaunchFacts } from "../compile-watch";
import { digestOf } from "../documents";
import { faultBars, lineMarkdown, proofParagraphs, tableMarkdown, termBars } from "./line-detail";

function bytes(value: number): string {
  return value >= 1024 ? `${Number((value / 1024).toFixed(1))} KiB` : `${value} B`;
}

/** Facts of a kernel and of all instances of its template: `scale<float, 4>` belongs to `scale`. */
export function factsOfKernel(facts: readonly CompiledFacts[], kernel: string): readonly CompiledFacts[] {
  return facts.filter((candidate) => candidate.kernel.replace(/<.*$/s, "").split("::").at(-1) === kernel);
}

/**
 * `38 registers · 4 KiB shared · 75% occupancy (registers) · sm_80`. Occupancy is left out where the launch's
 * block is not known.
 */
export function factsTitle(facts: CompiledFacts, launch: LaunchFacts | undefined, stale: boolean): string {
  const spilled = facts.spillLoadBytes + facts.spillStoreBytes;
  const occupied = occupancyOf(facts, launch);
  const instance = /<.*$/s.exec(facts.kernel)?.[0];
  return [
    ...(instance === undefined ? [] : [`${instance}:`]),
    ...(stale ? ["before your edits:"] : []),
    [
      `${facts.registers} registers`,
      ...(spilled > 0 ? [`${bytes(spilled)} spilled`] : []),
      ...(sharedBytesOf(facts, launch) > 0 ? [`${bytes(sharedBytesOf(facts, launch))} shared`] : []),
      ...(occupied === undefined
        ? []
        : [
            `${Math.round(occupied.fraction * 100)}% occupancy${occupied.fraction < 1 ? ` (${occupied.limiter.replace("-", " ")})` : ""}`,
          ]),
      facts.architecture,
    ].join(" · "),
  ].join(" ");
}

function sharedBytesOf(facts: CompiledFacts, launch: LaunchFacts | undefined): number {
  return facts.sharedBytes + (launch?.dynamicSharedBytes ?? 0);
}

function occupancyOf(
  facts: CompiledFacts,
  launch: LaunchFacts | undefined,
): ReturnType<typeof occupancy> | undefined {
  const threadsPerBlock = facts.threadsPerBlock ?? launch?.threadsPerBlock;
  if (threadsPerBlock === undefined) return undefined;
  return occupancy({
    architecture: facts.architecture,
    threadsPerBlock,
    registersPerThread: facts.registers,
    sharedBytes: sharedBytesOf(facts, launch),
  });
}

/** What the compiler keeps in memory for lack of registers, and for arrays: rows where there is any. */
function spillRows(facts: CompiledFacts): readonly (readonly [string, string])[] {
  const { spillStoreBytes, spillLoadBytes, stackBytes } = facts;
  return [
    ...(spillStoreBytes + spillLoadBytes === 0
      ? []
      : ([["Spilled", `${spillStoreBytes} B stored, ${spillLoadBytes} B loaded`]] as const)),
    ...(stackBytes === 0 ? [] : ([["Stack", `${stackBytes} B`]] as const)),
  ];
}

/** `4 KiB static + 1 KiB dynamic`. */
function sharedText(fixed: number, dynamic: number): string {
  const parts = [
    ...(fixed === 0 ? [] : [`${bytes(fixed)} static`]),
    ...(dynamic === 0 ? [] : [`${bytes(dynamic)} dynamic`]),
  ];
  return parts.length === 0 ? "none" : parts.join(" + ");
}

/** Markdown for the hover over a kernel's name. */
export function factsMarkdown(facts: CompiledFacts, launch: LaunchFacts | undefined, stale: boolean): string {
  const occupied = occupancyOf(facts, launch);
  const dynamic = launch?.dynamicSharedBytes ?? 0;
  const rows: readonly (readonly [string, string])[] = [
    ["Registers a thread", String(facts.registers)],
    ...spillRows(facts),
    ["Shared memory a block", sharedText(facts.sharedBytes, dynamic)],
    ...(occupied === undefined
      ? ([["Occupancy", "not known: the size of the block does not stand in the source"]] as const)
      : ([
          [
            "Occupancy",
            `${Math.round(occupied.fraction * 100)}% (${occupied.blocksPerSm} blocks, ${occupied.warpsPerSm} warps a multiprocessor), limited by ${occupied.limiter.replace("-", " ")}`,
          ],
        ] as const)),
  ];
  return [
    `**${facts.kernel}** compiled for ${facts.architecture}${stale ? " (before your edits)" : ""}`,
    "",
    "| | |",
    "| --- | --- |",
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    ...(occupied !== undefined && occupied.advice !== "" ? ["", `${occupied.advice}.`] : []),
  ].join("\n");
}

interface FactsSource {
  readonly uri: string;
  readonly kernel: string;
  /** Path of the file as the counters name it. */
  readonly file: string;
  /** The file as it was counted. */
  readonly text: string;
  readonly counters: KernelCounters;
  readonly facts: readonly CompiledFacts[];
  /**
   * What the counters mean on the target's GPU, of a correct kernel whose name stands on `line` (one-based).
   */
  readonly whole?: {
    readonly profile: KernelProfile;
    readonly gpu: GpuModel;
    readonly line: number | undefined;
    readonly proofs?: CorrectVerdict["proofs"];
  };
  readonly target: string;
  readonly sizes: Readonly<Record<string, number>>;
}

/** Below this share of the cost, or of all instructions where no cost is known, only faults are told. */
const quietShare = 0.05;

/** Below this share of the cost a line is not even marked. */
const warmShare = 0.02;

function costText(cost: number, instructions: number): string {
  const share = cost < quietShare ? [] : [`${describeShare(cost)} of the modelled cost`];
  return [...share, plural(instructions, "warp instruction")].join(" · ");
}

/** What stands at the end of the line: not that a few branches part on a line that costs next to nothing. */
function toldFault(
  faults: readonly LineFault[],
  profiled: ProfileSummary["lines"][number] | undefined,
): string | undefined {
  if (profiled === undefined) return faults[0]?.text;
  const onlyParts = faults.every(({ counter }) => counter === "divergentBranches");
  return onlyParts && profiled.share < quietShare ? undefined : profiled.faults[0];
}

/** All that is known of a line, as Markdown. */
function lineDetail(of: {
  readonly line: LineCounters;
  readonly faults: readonly LineFault[];
  readonly profiled: ProfileSummary["lines"][number] | undefined;
  readonly machine: MachineLine | undefined;
}): string {
  const { line, faults, profiled, machine } = of;
  return [
    // In front, since a hover shows ten lines.
    ...(faults.length === 0 ? [] : [faultBars(faults), "", usualHelp(faults), ""]),
    lineMarkdown(line, profiled),
    ...(machine === undefined ? [] : ["", `In the cubin: ${describeMachineLine(machine)}.`]),
  ].join("\n");
}

/** The counters of one file for the editor. */
export function toFactsView(source: FactsSource): FactsView {
  const summary = source.whole && summarizeProfile(source.whole.profile, source.whole.gpu);
  const lines = source.counters.lines.filter((line) => line.file === source.file);
  const total = Math.max(1, source.counters.totals.instructions);
  const shown = lines.map((line): LineFactsView | undefined => {
    const share = line.instructions / total;
    const machine = machineLineOf(source.facts, line.file, line.line);
    const profiled = summary?.lines.find(
      ({ counters }) => counters.file === line.file && counters.line === line.line,
    );
    const cost = profiled?.share ?? 0;
    const faults = lineFaults(line, machine);
    const fault = toldFault(faults, profiled);
    const isQuiet = fault === undefined && (profiled ? cost : share) < quietShare;
    if (isQuiet && cost < warmShare) return undefined;
    return {
      line: line.line,
      share: cost,
      text: isQuiet ? "" : (fault ?? costText(cost, line.instructions)),
      detail: lineDetail({ line, faults, profiled, machine }),
      kind: fault === undefined ? "plain" : "fault",
    };
  });
  const sizes = describeSizes(source.sizes);
  return {
    uri: source.uri,
    kernel: source.kernel,
    origin: `Counted by ${originNames[source.counters.origin]} for ${describeTarget(source.target)}${sizes === "" ? "" : ` at ${sizes}`}; cost, bound and caches are modelled, not measured.`,
    textDigest: digestOf(source.text),
    textLength: source.text.length,
    lines: withKernelLine(
      shown.filter((line) => line !== undefined),
      source.whole,
      summary,
    ),
  };
}

/** Puts what is known about the whole kernel on the line of its name, above that line's own counters. */
function withKernelLine(
  lines: readonly LineFactsView[],
  whole: FactsSource["whole"],
  summary: ProfileSummary | undefined,
): readonly LineFactsView[] {
  if (whole?.line === undefined || summary === undefined) return lines;
  const { line } = whole;
  const own = lines.find((each) => each.line === line);
  const { bound } = summary;
  const named: LineFactsView = {
    line,
    share: own?.share ?? 0,
    // Short: it stands behind the kernel's parameters. The hover has the rest.
    text: `${describeNanoseconds(bound.nanoseconds)} modelled (${resourceWords(bound.binding)}) · ${describeOccupancy(summary)}`,
    detail: [
      `**${describeNanoseconds(bound.nanoseconds)}** modelled bound on ${bound.gpu}, set by ${resourceWords(bound.binding)}:`,
      "",
      termBars(bound.terms),
      "",
      // The bars say what its row would.
      tableMarkdown(summaryRows(summary, whole.profile).filter(([label]) => label !== "modelled bound")),
      ...proofParagraphs(whole.proofs),
      ...(own === undefined ? [] : ["", own.detail]),
    ].join("\n"),
    kind: own?.kind ?? "plain",
  };
  return [...lines.filter((each) => each !== own), named].sort((a, b) => a.line - b.line);
}

const originNames: Readonly<Record<KernelCounters["origin"], string>> = {
  "virtual-gpu": "the virtual GPU",
  cubin: "the cubin reader",
  ptxas: "ptxas",
  ncu: "Nsight Compute",
  proton: "Proton",
};
