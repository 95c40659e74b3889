import type { SourceTree } from "../../judge/candidate";
import type { FailedVerdict } from "../../judge/verdict";
import type { FailedCandidate } from "../strategy";

const linesAtMost = 6;

/** A line of a file; one-based. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/** The source lines that a failure names, each with its text; empty where it names none. */
export function linesAtFault({ candidate, verdict }: FailedCandidate): string {
  const lines = new Map<string, string>();
  for (const place of placesOf(verdict)) {
    const text = textOf(candidate.tree, place);
    if (text !== undefined) lines.set(`${place.file}:${place.line}`, text);
  }
  if (lines.size === 0) return "";
  const shown = [...lines].slice(0, linesAtMost).map(([place, text]) => `- ${place}: ${text}`);
  return ["The lines that this names:", ...shown].join("\n");
}

/**
 * Who wrote a wrong value, and where a detector found something; of hidden shapes too, whose lines are none.
 */
function placesOf(verdict: FailedVerdict): readonly Place[] {
  switch (verdict.kind) {
    case "wrong":
      return verdict.cases.flatMap(({ mismatch, findings }) => [
        ...(mismatch?.writer === undefined ? [] : [mismatch.writer]),
        ...findings,
      ]);
    case "did-not-run":
      return verdict.findings.flatMap((finding) => [
        finding,
        ...(finding.other === undefined ? [] : [finding.other]),
      ]);
    default:
      return [];
  }
}

function textOf(tree: SourceTree, { file, line }: Place): string | undefined {
  const text = tree[file]?.split("\n")[line - 1]?.trim();
  return text === "" ? undefined : text;
}
