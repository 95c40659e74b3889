import { isCommandTarget } from "../proposal/command-target";
import { createTwoFilesPatch } from "diff";
import { at } from "../../base/known";
import { OperationalError } from "../../base/operational-error";
import type { SourceTree } from "../../judge/candidate";
import { describeVerdict } from "../../words/describe";
import { previewOf } from "../blobs";
import type { StoredText, StoredVerdict } from "../events";
import type { SessionState } from "../state";
import type { ExportInput } from "./exporter";

/** The whole text; of a damaged session what is left of it, and that the rest is missing. */
export async function textOf(input: Pick<ExportInput, "loadText">, stored: StoredText): Promise<string> {
  try {
    return await input.loadText(stored);
  } catch (thrown) {
    if (!(thrown instanceof OperationalError)) throw thrown;
    return `${previewOf(stored)}\n[the rest is missing from the session]`;
  }
}

/**
 * The unified diff from the baseline to a candidate's tree; undefined when there is none or a tree cannot be
 * rebuilt.
 */
export async function patchOf(input: ExportInput, state: SessionState): Promise<string | undefined> {
  const best = state.candidates.find((candidate) => candidate.id === state.best);
  if (!best || state.baselineTree === undefined) return undefined;
  try {
    return diffTrees(await input.loadTree(state.baselineTree), await input.loadTree(best.tree));
  } catch (thrown) {
    if (!(thrown instanceof OperationalError)) throw thrown;
    return undefined;
  }
}

function diffTrees(before: SourceTree, after: SourceTree): string {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => diffTexts(path, before[path], after[path]))
    .join("");
}

/** The unified diff of one file; undefined = the file is not there. */
export function diffTexts(path: string, before: string | undefined, after: string | undefined): string {
  const patch = createTwoFilesPatch(
    before === undefined ? "/dev/null" : `a/${path}`,
    after === undefined ? "/dev/null" : `b/${path}`,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3 },
  );
  // The library's line of equal signs is no part of a unified diff.
  return patch.replace(/^=+\n/, "");
}

/** One sentence about a verdict, or that there is none yet. */
export function verdictSentence(verdict: StoredVerdict): string {
  return verdict === null ? "no verdict" : describeVerdict(verdict);
}

/** What a claim was judged on, in words: a time is named only where a GPU measured it. */
export function hardwareLabel(target: string | undefined): string {
  if (target === undefined) return "unknown";
  if (isCommandTarget(target)) return "its own command, on the machine of the session";
  const architecture = /sm_\d+[a-z]?/.exec(target)?.[0] ?? "unknown architecture";
  const gpu = /(?:^|\/)gpu:(\d+)/.exec(target);
  if (gpu !== null) {
    const machine = target.startsWith("ssh:") ? "another machine" : "the machine";
    return `virtual GPU: counts; GPU ${at(gpu, 1)} of ${machine}: times`;
  }
  return target.startsWith("ssh:")
    ? `virtual GPU (${architecture}), compiled on another machine: counts, not times`
    : `virtual GPU (${architecture}): counts, not times`;
}
