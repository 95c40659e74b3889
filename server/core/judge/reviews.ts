import type { CorrectVerdict, Diagnostic } from "./verdict";

/** The verdict with a remark for each thing that somebody has to look at. */
export function withReviews(verdict: CorrectVerdict, reviews: readonly Diagnostic[]): CorrectVerdict {
  const [first, ...rest] = verdict.cases;
  if (first === undefined || reviews.length === 0) return verdict;
  const told = reviews.map(({ file, line, message }) => `needs a review: ${file}:${line}: ${message}`);
  return { ...verdict, cases: [{ ...first, remarks: [...(first.remarks ?? []), ...told] }, ...rest] };
}
