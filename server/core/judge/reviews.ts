import type { CorrectVerdict, Diagnostic, Verdict } from "./verdict";

const opening = "needs a review: ";

/** The verdict with a remark for each thing that somebody has to look at. */
export function withReviews(verdict: CorrectVerdict, reviews: readonly Diagnostic[]): CorrectVerdict {
  const [first, ...rest] = verdict.cases;
  if (first === undefined || reviews.length === 0) return verdict;
  const told = reviews.map(({ file, line, message }) => `${opening}${file}:${line}: ${message}`);
  return { ...verdict, cases: [{ ...first, remarks: [...(first.remarks ?? []), ...told] }, ...rest] };
}

/** What somebody has to look at before the version is taken over, a remark each. */
export function reviewsOf(verdict: Verdict | null | undefined): readonly string[] {
  if (verdict?.kind !== "correct") return [];
  const remarks = verdict.cases.flatMap((each) => each.remarks ?? []);
  return [...new Set(remarks.filter((remark) => remark.startsWith(opening)))];
}
