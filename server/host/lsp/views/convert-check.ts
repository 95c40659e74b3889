import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import type { CheckedCase, Verdict } from "../../../core/judge/verdict";
import { describeFailure, shownShape } from "../../../core/words/describe";
import type { CheckedShape, SourcePlace } from "../../../protocol/views";

type UriOf = (file: string) => string;

/** The shapes of a check, each once; a shape fails with the first of its cases that does. */
export const checkedShapes = shown((verdict: Verdict, uriOf: UriOf): readonly CheckedShape[] => {
  if (verdict.kind !== "correct" && verdict.kind !== "wrong") return [];
  const shapes = new Map<string, CheckedShape>();
  for (const checked of verdict.cases) {
    const name = shownShape(checked.shape);
    const known = shapes.get(name);
    if (known !== undefined && (known.failure !== null || checked.passed)) continue;
    shapes.set(name, {
      name,
      failure: checked.passed ? null : (describeFailure(checked) ?? t`failed`),
      place: checked.passed ? null : placeIn(placeOf(checked), uriOf),
    });
  }
  return [...shapes.values()];
});

/** Where a kernel failed before there was anything to compare. */
export function failurePlace(verdict: Verdict, uriOf: UriOf): SourcePlace | null {
  if (verdict.kind === "did-not-run") return placeIn(verdict.findings[0], uriOf);
  if (verdict.kind === "did-not-parse" || verdict.kind === "did-not-compile")
    return placeIn(
      verdict.diagnostics.find(({ severity }) => severity === "error"),
      uriOf,
    );
  if (verdict.kind === "refused")
    return placeIn({ file: verdict.file ?? "", line: verdict.line ?? 0 }, uriOf);
  return null;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function placeOf({ findings, mismatch }: CheckedCase): Place | undefined {
  return findings.find(({ line }) => line > 0) ?? mismatch?.writer;
}

function placeIn(place: Place | undefined, uriOf: UriOf): SourcePlace | null {
  if (place === undefined || place.file === "" || place.line === 0) return null;
  return { uri: uriOf(place.file), line: place.line };
}
