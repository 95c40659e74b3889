import type { Verdict } from "../../../../core/judge/verdict";
import {
  describeFailure,
  describeFinding,
  describeInputs,
  describeShape,
} from "../../../../core/words/describe";
import type { ProposalSide } from "../../../../core/trajectory/events";
import { kernelFaults } from "../../../../core/words/line-faults";
import { madeHowLink } from "../../handshake/pages";
import { shown, t } from "../../handshake/user-language";

/** `0.02`, `2.01e-5`: three significant digits. */
function short(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return rounded !== 0 && Math.abs(rounded) < 0.001 ? rounded.toExponential() : String(rounded);
}

/**
 * Markdown table of the checked cases, and where the page lies that says how numbers are made. A held-out
 * shape is not named: the user may paste this to a model.
 */
export const caseTable = shown(
  (verdict: Extract<Verdict, { kind: "correct" | "wrong" }>): readonly string[] => {
    const page = madeHowLink();
    return [
      t`| shape | inputs | tolerance | result |`,
      "| --- | --- | --- | --- |",
      ...verdict.cases.map((checked) => {
        const findings = checked.findings.map(describeFinding).join("; ");
        const result = checked.passed ? t`passed` : (describeFailure(checked) ?? t`failed`);
        const { absolute, relative } = checked.tolerance;
        const cells = [
          checked.shape.heldOut === true ? t`hidden shape` : describeShape(checked.shape),
          describeInputs(checked),
          `${short(absolute)} + ${short(relative)}·\\|x\\|`,
          `${result}${checked.passed && findings !== "" ? ` (${findings})` : ""}`,
        ];
        return `| ${cells.join(" | ")} |`;
      }),
      "",
      ...(verdict.cases.some(({ shape }) => shape.heldOut === true)
        ? [t`Held out: a size that is checked, and not shown to whoever proposes changes.`, ""]
        : []),
      ...(page === undefined ? [] : [t`[How these numbers are made](${page})`, ""]),
    ];
  },
);

/** The lines of a version that cost most beyond their ideal, under a title. */
export function faultLines(title: string, side: ProposalSide): readonly string[] {
  const faults = kernelFaults(side.counters).slice(0, 3);
  return faults.length === 0
    ? []
    : [
        `${title}:`,
        "",
        ...faults.map((fault) => `- ${fault.line.file}:${fault.line.line}: ${fault.text}`),
        "",
      ];
}
