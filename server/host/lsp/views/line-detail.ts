import type { LineCounters } from "../../../core/timing/counters";
import { lineTexts } from "../../../core/words/line-text";
import type { ProfiledLine } from "../../../core/words/profile";

/** What was counted on a line as a Markdown table, a row for each part of the machine that it uses. */
export function lineMarkdown(line: LineCounters, profiled?: ProfiledLine): string {
  return tableMarkdown(lineTexts(line, profiled));
}

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
