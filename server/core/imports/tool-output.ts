import { type Outcome, fail, succeed } from "../base/outcome";
import type { ToolRun } from "../hardware/measurement";
import type { CsvProblem } from "./csv";
import { findingLine, ncuLines, protonLines } from "./import-text";
import { type NcuReport, readNcuReport } from "./ncu-report";
import { isProtonOutput, type ProtonReport, readProtonReport } from "./proton-report";
import { isSanitizerOutput, readSanitizerReport, type SanitizerReport } from "./sanitizer-report";
import { refusalsIn, type ToolRefusal } from "./tool-refusals";

/** What one of NVIDIA's tools printed or Triton's profiler wrote, or why it measured nothing. */
export type ToolOutput =
  | { readonly tool: "ncu"; readonly report: NcuReport }
  | { readonly tool: "compute-sanitizer"; readonly report: SanitizerReport }
  | { readonly tool: "proton"; readonly report: ProtonReport }
  | { readonly tool: "none"; readonly refusals: readonly ToolRefusal[] };

/** Reads what ncu, compute-sanitizer or Proton wrote. The problem names the line and what was expected. */
export function readToolOutput(text: string): Outcome<ToolOutput, CsvProblem> {
  const refusals = refusalsIn(text);
  const refused = { tool: "none" as const, refusals };
  if (isSanitizerOutput(text)) {
    const report = readSanitizerReport(text);
    const empty = report.findings.length === 0 && report.summaries.length === 0;
    return succeed(empty && refusals.length > 0 ? refused : { tool: "compute-sanitizer", report });
  }
  if (isProtonOutput(text)) {
    const profile = readProtonReport(text);
    return profile.ok ? succeed({ tool: "proton", report: profile.value }) : profile;
  }
  const read = readNcuReport(text);
  if (read.ok && (read.value.launches.length > 0 || refusals.length === 0))
    return succeed({ tool: "ncu", report: read.value });
  if (refusals.length > 0) return succeed(refused);
  return read.ok ? fail({ line: 1, text: "no launch" }) : read;
}

/** The lines that a terminal shows of an output. `name`: where it comes from. */
export function toolLines(output: ToolOutput, name: string): readonly string[] {
  switch (output.tool) {
    case "ncu":
      return ncuLines(output.report);
    case "proton":
      return protonLines(output.report);
    case "compute-sanitizer": {
      const { findings, unknown, summaries } = output.report;
      return [
        ...findings.map(findingLine),
        ...[...unknown, ...summaries].map((line) => `compute-sanitizer: ${line}`),
      ];
    }
    case "none":
      return output.refusals.map(
        ({ says, means, remedy }) => `${name}: nothing was measured (${says}): ${means}; ${remedy}`,
      );
  }
}

/** What a run of a tool says; words that nobody knows are a refusal, too. */
function outputOf({ text }: ToolRun): ToolOutput {
  const read = readToolOutput(text);
  if (read.ok) return read.value;
  const last = text.trim().split("\n").at(-1) ?? "";
  const unknown: ToolRefusal = {
    says: last === "" ? "it printed nothing" : last,
    means: `what the tool printed is not understood here, on its line ${read.problem.line}: ${read.problem.text}`,
    remedy: "run it by hand, and bring what it prints here with kernelwright import FILE",
  };
  return { tool: "none", refusals: [unknown] };
}

/** A tool's run with what it printed as it is understood here. */
export interface ReadRun extends Omit<ToolRun, "text"> {
  readonly output: ToolOutput;
}

export function readRuns(runs: readonly ToolRun[]): readonly ReadRun[] {
  return runs.map(({ text, ...run }) => ({ ...run, output: outputOf({ ...run, text }) }));
}

/** What tools said on a GPU, for a terminal: a line about each, then what it measured or found. */
export function toolRunLines(runs: readonly ToolRun[]): readonly string[] {
  return readRuns(runs).flatMap(({ name, version, output }) => {
    const lines = toolLines(output, name);
    if (output.tool === "none") return lines;
    const head = `measured on the GPU by ${name}${version === undefined ? "" : ` (${version})`}:`;
    return lines.length === 0 ? [`${head} nothing`] : [head, ...lines.map((line) => `  ${line}`)];
  });
}
