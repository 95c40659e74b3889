import { retold } from "../../../core/base/localized";
import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import { plural } from "../../../core/words/quantities";
import type { CapturedProgram, CapturedWorkload } from "../../services/services";

/** Kernels that a one-line summary names. */
const namedKernels = 3;

/** How a program ended and which kernels were recorded, in one line. */
export const recordSummary = shown((file: string, captured: CapturedProgram): string => {
  const { workloads, launches } = captured;
  const end = endOf(file, captured);
  if (launches === 0) return t`${end} and launched no kernel. Give it the arguments with which it does.`;
  if (workloads.length === 0)
    return t`${end} after ${launchesText(launches)}, none of which could be recorded.`;
  const shown = workloads
    .slice(0, namedKernels)
    .map(({ kernel, found }) => `${kernel} (${casesText(found)})`);
  const more = workloads.length > namedKernels ? t` and ${workloads.length - namedKernels} more` : "";
  const leftOut = workloads.reduce((sum, each) => sum + each.leftOut, 0);
  return t`${end}. Recorded ${shown.join(", ")}${more} from ${launchesText(launches)}${leftOut === 0 ? "" : t`; ${plural(leftOut, "different launch", "es")} not recorded`}.`;
});

/** The same at length, as Markdown. */
export const recordDetail = shown((file: string, captured: CapturedProgram): string => {
  const { workloads, notes, problems, output } = captured;
  const told = problems.map((each) => (each.file === "" ? "" : `${each.file}:${each.line}: `) + each.message);
  return [
    `**${recordSummary(file, captured)}**`,
    "",
    ...(workloads.length === 0
      ? []
      : [
          t`| kernel | defined in | launches | cases | not recorded | spec |`,
          "| --- | --- | --- | --- | --- | --- |",
        ]),
    ...workloads.map(rowOf),
    ...listed(t`Not recorded:`, notes),
    ...listed(t`What went wrong in the program:`, told),
    ...(output.trim() === "" ? [] : ["", t`The end of its output:`, "", ...fenced(output)]),
  ].join("\n");
});

function endOf(file: string, { code, signal }: CapturedProgram): string {
  return t`${file} ended with ${signal ?? code}`;
}

function launchesText(launches: number): string {
  return plural(launches, "launch", "es");
}

function casesText({ spec }: CapturedWorkload["found"]): string {
  return plural(spec.shapes.length, "case");
}

function rowOf({ kernel, file, launches, found, leftOut }: CapturedWorkload): string {
  const cells = [`\`${kernel}\``, file, launches, found.spec.shapes.length, leftOut, found.specPath];
  return `| ${cells.join(" | ")} |`;
}

function listed(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ["", title, "", ...items.map((item) => `- ${retold(item)}`)];
}

/** A fence that no line of the text can close. */
function fenced(text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [fence, text.trimEnd(), fence];
}
