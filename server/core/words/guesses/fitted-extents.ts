import { t } from "../../base/localized";
import type { Finding, Verdict } from "../../judge/verdict";

/** How the findings name a buffer that is longer, or shorter, than it was taken to be. */
const extentWords: Readonly<Record<string, RegExp>> = {
  "out-of-bounds": /"(\w+)" \(\d+ bytes?\)/,
  "never-written": /elements of (\w+) were never written/,
};

/**
 * A buffer that probes have told the extent of, and that a run went beyond or did not fill: the extent does
 * not hold for what this run had, whatever it fitted before. The kernel may be right.
 */
export function fittedExtents(
  verdict: Verdict,
  origins: Readonly<Record<string, string>>,
): readonly string[] {
  const named = findingsOf(verdict).flatMap(
    ({ kind, message }) => extentWords[kind]?.exec(message)?.[1] ?? [],
  );
  return [...new Set(named)].flatMap((name) => {
    const path = [`inputs.${name}.shape`, `outputs.${name}.shape`].find((each) => origins[each] === "probed");
    if (path === undefined) return [];
    return t`${path}: it was fitted to how far a few launches touched ${name}, and this one touched more or less. Write how many elements ${name} has.`;
  });
}

function findingsOf(verdict: Verdict): readonly Finding[] {
  if (verdict.kind === "did-not-run") return verdict.findings;
  return verdict.kind === "wrong" ? verdict.cases.flatMap(({ findings }) => findings) : [];
}
