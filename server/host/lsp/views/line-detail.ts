import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import { resourceWords } from "../../../core/words/names/names";
import { counterCatalogue } from "../../../core/timing/counter-catalogue";
import type { KernelProof } from "../../../core/judge/proof";
import type { LineCounters } from "../../../core/timing/counters";
import type { LineFault } from "../../../core/words/line-faults";
import type { MachineLine } from "../../../core/judge/verdict";
import { describeMachineLine } from "../../../core/words/lines/machine-line";
import { usualHelp } from "../../../core/words/usual-help";
import { lineTexts } from "../../../core/words/line-text";
import type { ProfiledLine } from "../../../core/words/profile";
import { proofLines } from "../../../core/words/proofs";
import { quietTerm } from "../../../core/words/profile-text";
import { describeNanoseconds, groupDigits } from "../../../core/words/quantities";

/** What was counted on a line as a Markdown table, a row for each part of the machine that it uses. */
export const lineMarkdown = shown((line: LineCounters, profiled?: ProfiledLine): string => {
  return tableMarkdown(lineTexts(line, profiled));
});

/** Labels and texts as a Markdown table without a head; labels begin with a capital. */
export function tableMarkdown(rows: readonly (readonly [string, string])[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  return [
    "| | |",
    "| --- | --- |",
    ...rows.map(
      ([label, text]) => `| ${cell(label.charAt(0).toUpperCase() + label.slice(1))} | ${cell(text)} |`,
    ),
  ].join("\n");
}

/** What holds of a kernel for all sizes, a paragraph for each answer. */
export function proofParagraphs(proofs: readonly KernelProof[] = []): readonly string[] {
  return proofLines(proofs).flatMap((line) => ["", `${line}.`]);
}

const barLength = 12;

/** A bar of blocks as Markdown; what is there at all has one. `share`: 0 to 1. */
function bar(share: number): string {
  const full = share > 0 ? Math.max(1, Math.round(share * barLength)) : 0;
  return `\`${"█".repeat(full)}${"░".repeat(barLength - full)}\``;
}

/** The time that each resource needs alone, as bars, the one that binds first. `terms` in nanoseconds. */
export function termBars(terms: Readonly<Record<string, number>>): string {
  const greatest = Math.max(...Object.values(terms));
  const shown = Object.entries(terms).filter(([, value]) => value > quietTerm * greatest);
  return shown
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${bar(value / greatest)} ${resourceWords(name)} ${describeNanoseconds(value)}`)
    .join("  \n");
}

/** What was counted at fault as a bar, and beside it what would do. */
function faultBars(faults: readonly LineFault[]): string {
  return faults
    .flatMap(({ counter, value, ideal }) => [
      `${bar(1)} ${groupDigits(value)} ${retold(counterCatalogue[counter].title)}`,
      t`${bar(ideal / value)} ${groupDigits(ideal)} would do`,
    ])
    .join("  \n");
}

/** All that is known of a line, as Markdown. */
export function lineDetail(of: {
  readonly line: LineCounters;
  readonly faults: readonly LineFault[];
  readonly profiled: ProfiledLine | undefined;
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
