import { show } from "../handshake/user-language";
import { retold } from "../../../core/base/localized";
import { t } from "../../../core/base/localized";
import { describeDiagnostic, describeFinding } from "../../../core/words/describe";
import type { Verdict } from "../../../core/judge/verdict";
import { checkedShapes, failurePlace } from "../views/convert-check";
import { caseTable } from "../views/facts/grounds";
import type { Handler } from "./handler";
import { describeJudged, judgeKernel, uriOfSource } from "./judged";

/** The kernel as it is on disk against its reference, every shape. */
export const check: Handler<"kernelwright/check"> = async (context, params, signal) => {
  const { verdict, unknowns, notes, guesses, step } = await judgeKernel(context, params, {
    name: t`Check`,
    signal,
  });
  const uriOf = (path: string): string => uriOfSource(context, params.uri, path);
  return show(() => {
    const summary = describeJudged(params, { verdict, guesses, step });
    return {
      passed: verdict.kind === "correct",
      summary,
      detail: [`**${summary}**`, "", ...detailOf(verdict), ...guessed(unknowns), ...notUsed(notes)].join(
        "\n",
      ),
      unknowns: (guesses.length > 0 ? guesses : unknowns).map(retold),
      isGuess: guesses.length > 0,
      shapes: checkedShapes(verdict, uriOf),
      place: failurePlace(verdict, uriOf),
    };
  });
};

/** A verdict over guessed shapes may be wrong itself. */
function guessed(unknowns: readonly string[]): readonly string[] {
  if (unknowns.length === 0) return [];
  return [
    "",
    t`There is no kernel spec; it was inferred. What the source does not tell, so that the verdict may rest on a wrong guess:`,
    "",
    ...unknowns.map((unknown) => `- ${retold(unknown)}`),
  ];
}

function notUsed(notes: readonly string[]): readonly string[] {
  if (notes.length === 0) return [];
  return [
    "",
    t`Found about how it is compiled, and not used:`,
    "",
    ...notes.map((note) => `- ${retold(note)}`),
  ];
}

function detailOf(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case "correct":
    case "wrong":
      return caseTable(verdict);
    case "did-not-parse":
    case "did-not-compile":
      return verdict.diagnostics.map((diagnostic) => `- ${describeDiagnostic(diagnostic)}`);
    case "did-not-run":
      return verdict.findings.map((finding) => `- ${describeFinding(finding)}`);
    default:
      return [];
  }
}
