import { retold, shown, t } from "../handshake/user-language";
import { describeTarget } from "../../../core/words/names/names";
import type { KernelCounters } from "../../../core/timing/counters";
import { describeSizes } from "../../../core/words/describe";
import { machineLineOf } from "../../../core/words/lines/machine-line";
import type { GpuModel } from "../../../core/timing/gpu-model";
import { type LineFault, lineFaults, onlyPartHarmlessly } from "../../../core/words/line-faults";
import { type KernelProfile, type ProfileSummary, summarizeProfile } from "../../../core/words/profile";
import { describeShare, plural } from "../../../core/words/quantities";
import type { CompiledFacts, CorrectVerdict } from "../../../core/judge/verdict";
import type { FactsView, LineFactsView } from "../../../protocol/views";
import { digestOf } from "../documents";
import { withKernelLine } from "./facts/kernel-line";
import { toRewriteViews } from "./facts/rewrite-view";
import { lineDetail } from "./line-detail";

interface FactsSource {
  readonly uri: string;
  readonly kernel: string;
  /** Path of the file as the counters name it. */
  readonly file: string;
  /** The file as it was counted. */
  readonly text: string;
  readonly counters: KernelCounters;
  readonly facts: readonly CompiledFacts[];
  /** What rules would write anew. */
  readonly rewrites?: Parameters<typeof toRewriteViews>[0];
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
    /** What most of that time is spent on. */
    readonly simulatedLimit?: string;
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

/** What stands at the end of the line. */
function toldFault(
  faults: readonly LineFault[],
  profiled: ProfileSummary["lines"][number] | undefined,
): string | undefined {
  if (profiled === undefined) return faults[0]?.text;
  return onlyPartHarmlessly(faults, profiled.share) ? undefined : profiled.faults[0];
}

/** The counters of one file for the editor. */
export const toFactsView = shown((source: FactsSource): FactsView => {
  const summary = source.whole && summarizeProfile(source.whole.profile, source.whole.gpu);
  const lines = source.counters.lines.filter((line) => line.file === source.file);
  const total = Math.max(1, source.counters.totals.instructions);
  const own = source.rewrites ?? [];
  const shown = lines.map((line): LineFactsView | undefined => {
    const share = line.instructions / total;
    const machine = machineLineOf(source.facts, line.file, line.line);
    const profiled = summary?.lines.find(
      ({ counters }) => counters.file === line.file && counters.line === line.line,
    );
    const cost = profiled?.share ?? 0;
    const faults = lineFaults(line, machine);
    const fault = toldFault(faults, profiled);
    const rewrites = own.filter((each) => each.file === line.file && each.line === line.line);
    const isQuiet = fault === undefined && (profiled ? cost : share) < quietShare;
    if (isQuiet && cost < warmShare && rewrites.length === 0) return undefined;
    return {
      line: line.line,
      share: cost,
      text: isQuiet ? "" : (fault ?? costText(cost, line.instructions)),
      detail: lineDetail({ line, faults, profiled, machine }),
      kind: fault === undefined ? "plain" : "fault",
      ...(rewrites.length > 0 && { rewrites: toRewriteViews(rewrites) }),
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
      source,
      summary,
    ),
  };
});

const originNames: Readonly<Record<KernelCounters["origin"], string>> = {
  "virtual-gpu": "the virtual GPU",
  cubin: "the cubin reader",
  ptxas: "ptxas",
  ncu: "Nsight Compute",
  proton: "Proton",
};
