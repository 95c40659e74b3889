import { retold, t } from "../../base/localized";
import type { CheckedCase, Verdict } from "../../judge/verdict";

type Refused = Extract<Verdict, { readonly kind: "refused" }>;

/** Why something was refused, with the place in the source where that is known. */
export function refusalText({ reason, file, line }: Pick<Refused, "reason" | "file" | "line">): string {
  const why = retold(reason);
  return file && line ? `${why} (${file}:${line})` : why;
}

/** What is told of each configuration of an autotuned kernel but its first. */
const furtherConfiguration = /^autotune of (\S+) took configuration \d+: /;

/**
 * What the runs of the cases could not look at, or chose, each sentence once. Of the configurations that were
 * judged besides the first only their number is told, and the one that a case has failed with.
 */
export function remarksOf(cases: readonly CheckedCase[]): readonly string[] {
  const all = [...new Set(cases.flatMap(({ remarks }) => remarks ?? []))];
  const failed = cases.find(({ passed }) => !passed)?.remarks ?? [];
  const further = new Map<string, number>();
  const told = all.filter((remark) => {
    const kernel = furtherConfiguration.exec(remark)?.[1];
    if (kernel === undefined || failed.includes(remark)) return true;
    further.set(kernel, (further.get(kernel) ?? 0) + 1);
    return false;
  });
  const counted = [...further].map(([kernel, count]) =>
    count === 1
      ? t`1 further configuration of ${kernel} was judged`
      : t`${count} further configurations of ${kernel} were judged`,
  );
  return [...told.map(retold), ...counted];
}
