import type { Verdict } from "../../judge/verdict";

type Refused = Extract<Verdict, { readonly kind: "refused" }>;

/** Why something was refused, with the place in the source where that is known. */
export function refusalText({ reason, file, line }: Pick<Refused, "reason" | "file" | "line">): string {
  return file && line ? `${reason} (${file}:${line})` : reason;
}
