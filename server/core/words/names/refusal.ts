import { retold } from "../../base/localized";
import type { Verdict } from "../../judge/verdict";

type Refused = Extract<Verdict, { readonly kind: "refused" }>;

/** Why something was refused, with the place in the source where that is known. */
export function refusalText({ reason, file, line }: Pick<Refused, "reason" | "file" | "line">): string {
  const why = retold(reason);
  return file && line ? `${why} (${file}:${line})` : why;
}
