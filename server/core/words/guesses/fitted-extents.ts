import { t } from "../../base/localized";
import type { Finding, Verdict } from "../../judge/verdict";

/** How the findings name a buffer that is longer, or shorter, than it was taken to be. */
const extentWords: Readonly<Record<string, RegExp>> = {
  "out-of-bounds": /"(\w+)" \(\d+ bytes?\)/,
  "never-written": /elements of (\w+) were never written/,
};

/**
 * A buffer that probes have told the extent of, or that host code makes, and that a run went beyond or did
 * not fill: the extent does not hold for what this run had, whatever it fitted before. The kernel may be
 * right.
 */
export function fittedExtents(
  verdict: Verdict,
  origins: Readonly<Record<string, string>>,
): readonly string[] {
  const named = findingsOf(verdict).flatMap(({ kind, message }) => {
    const name = extentWords[kind]?.exec(message)?.[1];
    return name === undefined ? [] : [{ kind, name }];
  });
  const sentences = named.flatMap(({ kind, name }) => {
    if (kind === "never-written" && origins[`outputs.${name}.shape`] === "inferred")
      return t`outputs.${name}: the host code makes it this large, and its launches leave a part of it as it was. If that is meant, have the entry return what they fill.`;
    const path = [`inputs.${name}.shape`, `outputs.${name}.shape`].find((each) => origins[each] === "probed");
    if (path === undefined) return [];
    return t`${path}: it was fitted to how far a few launches touched ${name}, and this one touched more or less. Write how many elements ${name} has.`;
  });
  return [...new Set(sentences)];
}

/** What is found where a block has fewer threads than the kernel is made for. */
const tooFewThreads: Readonly<Record<string, RegExp>> = {
  "uninitialized-read": /shared memory/,
  "undefined-shuffle": /which the block does not have/,
};

/**
 * What else nobody has told of a launch and its inputs, where a finding is one that this may be behind: the
 * threads of a block, and values that an assertion does not hold for.
 */
export function madeUpFacts(verdict: Verdict, origins: Readonly<Record<string, string>>): readonly string[] {
  const findings = findingsOf(verdict);
  const isOfBlock = findings.some(({ kind, message }) => tooFewThreads[kind]?.test(message) === true);
  const isFound = ["probed", "inferred"].includes(origins["launch.block"] ?? "");
  const isAsserted = findings.some(({ message }) => message.startsWith("assertion failed"));
  const isMadeUp = Object.keys(origins).length > 0 && !Object.values(origins).includes("recorded");
  return [
    ...(isOfBlock && isFound
      ? [t`launch.block: it was found by launching the kernel, which may be made for more threads.`]
      : []),
    ...(isAsserted && isMadeUp
      ? [t`inputs: their values were made up, and the kernel asserts others. State them under distribution.`]
      : []),
  ];
}

function findingsOf(verdict: Verdict): readonly Finding[] {
  if (verdict.kind === "did-not-run") return verdict.findings;
  return verdict.kind === "wrong" ? verdict.cases.flatMap(({ findings }) => findings) : [];
}
