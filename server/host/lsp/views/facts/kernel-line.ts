import { t } from "../../handshake/user-language";
import type { LineRewrite } from "../../../../core/words/rule-text";
import type { CorrectVerdict, ModelledBound } from "../../../../core/judge/verdict";
import { resourceWords } from "../../../../core/words/names/names";
import { simulatedLimitWords } from "../../../../core/words/names/bound-words";
import type { KernelProfile, ProfileSummary } from "../../../../core/words/profile";
import { describeOccupancy, summaryRows } from "../../../../core/words/profile-text";
import { describeNanoseconds } from "../../../../core/words/quantities";
import type { LineFactsView } from "../../../../protocol/views";
import { proofParagraphs, tableMarkdown, termBars } from "../line-detail";
import { toRewriteViews } from "./rewrite-view";

/** A kernel that was counted. */
interface KernelSource {
  /** What rules would write anew. */
  readonly rewrites?: readonly LineRewrite[];
  readonly whole?: {
    readonly profile: KernelProfile;
    /** Where its name stands, one-based. */
    readonly line: number | undefined;
    readonly proofs?: CorrectVerdict["proofs"];
    readonly simulatedNanoseconds?: number;
    readonly simulatedLimit?: string;
  };
}

/** Puts what is known about the whole kernel on the line of its name, above that line's own counters. */
export function withKernelLine(
  lines: readonly LineFactsView[],
  { whole, rewrites = [] }: KernelSource,
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
    text: kernelText(summary, whole),
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
    ...(rewrites.length > 0 && { rewrites: toRewriteViews(rewrites) }),
  };
  return [...lines.filter((each) => each !== own), named].sort((a, b) => a.line - b.line);
}

/**
 * `15.8 µs simulated (DRAM) · occupancy 50 %`: what sets the bound explains a simulated time too, unless that
 * is far above it.
 */
function kernelText(
  summary: ProfileSummary,
  simulated: Pick<ModelledBound, "simulatedNanoseconds" | "simulatedLimit">,
): string {
  const { nanoseconds, binding } = summary.bound;
  const { simulatedNanoseconds } = simulated;
  const [resource, occupancy] = [resourceWords(binding), describeOccupancy(summary)];
  if (simulatedNanoseconds === undefined)
    return t`${describeNanoseconds(nanoseconds)} modelled (${resource}) · ${occupancy}`;
  const limit = simulatedLimitWords({ nanoseconds, ...simulated }) ?? resource;
  return t`${describeNanoseconds(simulatedNanoseconds)} simulated (${limit}) · ${occupancy}`;
}

function simulatedParagraph(nanoseconds: number | undefined): readonly string[] {
  if (nanoseconds === undefined) return [];
  return [t`**${describeNanoseconds(nanoseconds)}** by simulation of the machine code.`, ""];
}
