import type { CorrectVerdict, FailedVerdict } from "../../judge/verdict";
import type { ChallengeOutcome } from "../../ports/evaluator";
import type { ChallengedCase } from "../../trajectory/talk/challenged";
import { describeMadeUp, describeVerdict, failedShape } from "../../words/describe";
import type { TesterCase } from "./tester-answer";

/** What became of a case, as the log holds it. */
export function resultOf(
  outcome: ChallengeOutcome,
  verdict: FailedVerdict | undefined,
): Pick<ChallengedCase, "outcome" | "reason"> {
  if (outcome.kind === "void") return { outcome: "void", reason: outcome.reason };
  return verdict === undefined
    ? { outcome: "passed", reason: "" }
    : { outcome: "failed", reason: describeVerdict(verdict) };
}

/** The verdict on a candidate that a case refutes; undefined where it does not. */
export function verdictOfCase(
  outcome: ChallengeOutcome,
  { why, inputs, sizes }: TesterCase,
  { cases, facts }: CorrectVerdict,
): FailedVerdict | undefined {
  const madeUp = { why, ...(inputs && { inputs }) };
  switch (outcome.kind) {
    case "passed":
    case "void":
      return undefined;
    case "failed":
      return { kind: "wrong", tier: "full", cases: [...cases, { ...outcome.checked, madeUp }], facts };
    case "did-not-run": {
      const where = `${failedShape({ sizes })}${describeMadeUp(madeUp)}: `;
      const findings = outcome.findings.map((finding, index) =>
        index === 0 ? { ...finding, message: `${where}${finding.message}` } : finding,
      );
      return { ...outcome, reason: `${where}${outcome.reason}`, findings };
    }
  }
}
