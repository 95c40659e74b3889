import { at } from "../../../base/known";
import { isTrick } from "../../../base/trick-source";
import type { CheckedCase, Diagnostic, Verdict } from "../../../judge/verdict";
import { fenced } from "../../../prompts/render";
import { describeDiagnostic, describeFailure, describeSizes } from "../../../words/describe";
import { remarksOf } from "../../../words/names/refusal";
import { plural } from "../../../words/quantities";

const diagnosticsAtMost = 10;
const casesAtMost = 3;

type NotBuilt = Extract<Verdict, { kind: "did-not-parse" | "did-not-compile" }>;

/** What the compiler, or the scan before it, has against a version. */
export function notBuiltText(verdict: NotBuilt): string {
  const lines = fenced(diagnosticLines(verdict));
  if (verdict.kind === "did-not-compile") return `It does not compile.\n${lines}`;
  const isRefused = verdict.diagnostics.some(isTrick);
  return `${isRefused ? "It was not run: the scan for known tricks refuses it" : "It does not parse"}.\n${lines}`;
}

/** Which cases of a version fail, and how. */
export function wrongText({ tier, cases }: Extract<Verdict, { kind: "wrong" }>): string {
  const failed = firstOfEachShape(cases.filter(({ passed }) => !passed)).slice(0, casesAtMost);
  return [
    `It is wrong; the ${tier} check found:`,
    ...failed.map((checked) => `- ${caseText(checked)}`),
    wrongShare(cases),
    ...remarkLines(cases),
  ].join("\n");
}

/** What the runs chose, as an autotuner does, or could not look at; nothing of hidden shapes. */
export function remarkLines(cases: readonly CheckedCase[]): readonly string[] {
  return remarksOf(cases.filter(({ shape }) => shape.heldOut !== true)).map((remark) => `- ${remark}`);
}

/**
 * A shape is run with several seeds; one failure of it says enough. Hidden shapes look alike and count as
 * one.
 */
function firstOfEachShape(failed: readonly CheckedCase[]): readonly CheckedCase[] {
  const key = ({ shape }: CheckedCase): string =>
    shape.heldOut === true ? "hidden" : describeSizes(shape.sizes);
  return failed.filter(
    (checked, index) => failed.findIndex((other) => key(other) === key(checked)) === index,
  );
}

function caseText(checked: CheckedCase): string {
  if (checked.shape.heldOut !== true)
    return describeFailure(checked) ?? `shape ${describeSizes(checked.shape.sizes)}`;
  const finding = checked.findings[0];
  const what = finding ? `${finding.kind} at ${finding.file}:${finding.line}` : "some values are wrong";
  return `a hidden shape: ${what}. Make it right for every size, multiples of the block or not.`;
}

/** Which visible shapes fail: the smallest that does is where to look. */
function wrongShare(cases: readonly CheckedCase[]): string {
  const visible = cases.filter(({ shape }) => shape.heldOut !== true);
  const failed = visible.filter(({ passed }) => !passed).length;
  return `${failed} of ${plural(visible.length, "run")} with visible shapes failed.`;
}

/** Errors where there are any, one line for each message however often it was given. */
function diagnosticLines(verdict: NotBuilt): string {
  const errors = verdict.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const told = errors.length > 0 ? errors : verdict.diagnostics;
  const alike = new Map<string, Diagnostic[]>();
  for (const diagnostic of told) {
    const key = `${diagnostic.file}\n${diagnostic.message}`;
    alike.set(key, [...(alike.get(key) ?? []), diagnostic]);
  }
  return [...alike.values()]
    .slice(0, diagnosticsAtMost)
    .map((same) => {
      const more = same.length - 1;
      return `${describeDiagnostic(at(same, 0))}${more > 0 ? ` (and ${plural(more, "more time")})` : ""}`;
    })
    .join("\n");
}
