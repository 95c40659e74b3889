import { retold, shown, t } from "../handshake/user-language";
import { describeTarget, resourceWords } from "../../../core/words/names/names";
import type { KernelCounters, LineCounters } from "../../../core/timing/counters";
import { describeSizes } from "../../../core/words/describe";
import { describeMachineLine, machineLineOf } from "../../../core/words/lines/machine-line";
import type { GpuModel } from "../../../core/timing/gpu-model";
import { type LineFault, lineFaults } from "../../../core/words/line-faults";
import { type KernelProfile, type ProfileSummary, summarizeProfile } from "../../../core/words/profile";
import { describeOccupancy, summaryRows } from "../../../core/words/profile-text";
import { describeNanoseconds, describeShare, plural } from "../../../core/words/quantities";
import { usualHelp } from "../../../core/words/usual-help";
import type { CompiledFacts, CorrectVerdict, MachineLine } from "../../../core/judge/verdict";
import type { FactsView, LineFactsView } from "../../../protocol/views";
import { digestOf } from "../documents";
import { faultBars, lineMarkdown, proofParagraphs, tableMarkdown, termBars } from "./line-detail";

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
    /** By simulation of the launches of the profile; left out where they were not simulated. */
    readonly simulatedNanoseconds?: number;
  };
  readonly target: string;
  readonly sizes: Readonly<Record<string, number>>;
}

/** Below this share of the cost, or of all instructions where no cost is known, only faults are told. */
const quietShare = 0.05;

/** Below this share of the cost a line is not even marked. */
const warmShare = 0.02;

function costText(cost: number, instructions: number): string {
  const share = cost < quietShare ? [] : [t`${describeShare(cost)} of the modelled cost`];
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
    ...(machine === undefined ? [] : ["", t`In the cubin: ${describeMachineLine(machine)}.`]),
  ].join("\n");
}

/** The counters of one file for the editor. */
export const toFactsView = shown((source: FactsSource): FactsView => {
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
    origin: t`Counted by ${retold(originNames[source.counters.origin])} for ${describeTarget(source.target)}${sizes === "" ? "" : t` at ${sizes}`}; cost, bound and caches are modelled, not measured.`,
    textDigest: digestOf(source.text),
    textLength: source.text.length,
    lines: withKernelLine(
      shown.filter((line) => line !== undefined),
      source.whole,
      summary,
    ),
  };
});

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
    text: kernelText(summary, whole.simulatedNanoseconds),
    detail: [
      ...simulatedParagraph(whole.simulatedNanoseconds),
      t`**${describeNanoseconds(bound.nanoseconds)}** modelled bound on ${bound.gpu}, set by ${resourceWords(bound.binding)}:`,
      "",
      termBars(bound.terms),
      "",
      // The bars say what its row would.
      tableMarkdown(summaryRows(summary, whole.profile).filter(([label]) => label !== t`modelled bound`)),
      ...proofParagraphs(whole.proofs),
      ...(own === undefined ? [] : ["", own.detail]),
    ].join("\n"),
    kind: own?.kind ?? "plain",
  };
  return [...lines.filter((each) => each !== own), named].sort((a, b) => a.line - b.line);
}

/** `15.8 µs simulated (DRAM) · occupancy 50 %`: what sets the bound explains a simulated time too. */
function kernelText(summary: ProfileSummary, simulatedNanoseconds: number | undefined): string {
  const { nanoseconds, binding } = summary.bound;
  const [resource, occupancy] = [resourceWords(binding), describeOccupancy(summary)];
  if (simulatedNanoseconds === undefined)
    return t`${describeNanoseconds(nanoseconds)} modelled (${resource}) · ${occupancy}`;
  return t`${describeNanoseconds(simulatedNanoseconds)} simulated (${resource}) · ${occupancy}`;
}

function simulatedParagraph(nanoseconds: number | undefined): readonly string[] {
  if (nanoseconds === undefined) return [];
  return [t`**${describeNanoseconds(nanoseconds)}** by simulation of the machine code.`, ""];
}

const originNames: Readonly<Record<KernelCounters["origin"], string>> = {
  "virtual-gpu": "the virtual GPU",
  cubin: "the cubin reader",
  ptxas: "ptxas",
  ncu: "Nsight Compute",
  proton: "Proton",
};
