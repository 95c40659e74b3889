import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import type { Finding, Verdict } from "../../../core/judge/verdict";
import { describeFinding, describeShape, describeVerdict } from "../../../core/words/describe";
import { plural } from "../../../core/words/quantities";
import type { Preview, TouchedBuffer } from "../../services/services";

/** Launches that are described one by one. */
const shownLaunches = 4;

/** What a preview run has shown, in one line: what was launched comes first. */
export const previewSummary = shown((preview: Preview): string => {
  const { spec, shape, verdict } = preview;
  const said = verdict.kind === "correct" ? t`ran without a fault` : describeVerdict(verdict);
  const outside = preview.touched.filter(reachesOut).map(({ name }) => name);
  const parts = [
    ...launchTexts(preview).slice(0, 1),
    ...(outside.length === 0 ? [] : [t`goes beyond ${outside.join(", ")}`]),
    said,
  ];
  return t`${spec.kernel} at ${describeShape(shape)}: ${parts.join("; ")}`;
});

/** The same at length, as Markdown. */
export const previewDetail = shown((preview: Preview): string => {
  const { touched, verdict } = preview;
  const findings = findingsOf(verdict).map(describeFinding);
  return [
    `**${previewSummary(preview)}**`,
    "",
    ...launchTexts(preview).map((text) => `- ${text}`),
    ...(touched.length === 0
      ? []
      : ["", t`| buffer | elements | read | written |`, "| --- | --- | --- | --- |", ...touched.map(rowOf)]),
    ...(findings.length === 0 ? [] : ["", t`Findings:`, "", ...findings.map((each) => `- ${each}`)]),
    "",
    t`Elements are counted from 0. What is touched was seen in a launch on roomy buffers that hold the same number everywhere.`,
  ].join("\n");
});

function launchTexts({ launches, grid, block }: Preview): readonly string[] {
  if (grid !== undefined && block !== undefined)
    return [t`grid ${grid.join(" × ")}, block ${block.join(" × ")}${sharedText(launches[0]?.sharedBytes)}`];
  return launches
    .slice(0, shownLaunches)
    .map(
      ({ blocks, threadsPerBlock, sharedBytes }) =>
        t`${plural(blocks, "block")} of ${plural(threadsPerBlock, "thread")}${sharedText(sharedBytes)}`,
    );
}

function sharedText(bytes: number | undefined): string {
  return bytes === undefined || bytes === 0 ? "" : t`, ${plural(bytes, "byte")} of shared memory`;
}

function reachesOut({ elements, read, written }: TouchedBuffer): boolean {
  return [read, written].some((span) => span !== undefined && (span[0] < 0 || span[1] > elements));
}

function rowOf(buffer: TouchedBuffer): string {
  const { name, elements, read, written } = buffer;
  const mark = reachesOut(buffer) ? t` (goes beyond it)` : "";
  return `| \`${name}\` | ${elements}${mark} | ${spanText(read)} | ${spanText(written)} |`;
}

function spanText(span: readonly [number, number] | undefined): string {
  return span === undefined ? t`no` : t`${span[0]} to ${span[1] - 1}`;
}

function findingsOf(verdict: Verdict): readonly Finding[] {
  if (verdict.kind === "did-not-run") return verdict.findings;
  return verdict.kind === "wrong" || verdict.kind === "correct"
    ? verdict.cases.flatMap(({ findings }) => findings)
    : [];
}
