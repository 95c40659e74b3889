import { isNot, not, type RuleHold, type RuleInput, type RuleProposal } from "../../../rule";
import { cudaKernel } from "../../kernel";
import type { ToldOfLine } from "../launches/own-launcher";
import { copiesOf } from "./copies";
import { includedHeaders } from "./included";

/** A source behind which the headers that it includes stand. */
interface HeadersRead {
  readonly input: RuleInput;
  /**
   * A rewrite as one of the source that was given: the headers stay as they are, and functions of theirs that
   * it changes are copied to the kernel's file, under names of their own.
   */
  finished(proposal: RuleProposal): RuleProposal | RuleHold;
  /** What is told of a line of a header, as told of the kernel that includes it. */
  told<Told extends ToldOfLine>(each: Told): Told;
}

const first = "// The headers that this file includes begin here.";
const last = "// The headers that this file includes end here.";

/**
 * The kernel's file with the headers of the tree that it includes behind its own text: rules read their
 * functions, types, macros and constants as those of the file. Undefined where it includes none worth
 * reading.
 */
export function headersRead(given: RuleInput): HeadersRead | undefined {
  const { file } = given;
  const text = given.tree[file] ?? "";
  const headers = includedHeaders(given);
  const view = cudaKernel(given);
  if (headers.length === 0 || isNot(view)) return undefined;
  const joined = headers.map((header) => header.text).join("\n");
  const tree = { ...given.tree, [file]: `${text}\n${first}\n${joined}\n${last}\n` };
  const lines = text.split("\n").length;
  const seen = (line: number): number => (line > lines ? view.line : line);
  const told = <Told extends ToldOfLine>(each: Told): Told => ({
    ...each,
    line: seen(each.line),
    sentence: each.sentence.replace(/\bline (\d+)\b/g, (_, line: string) => `line ${seen(Number(line))}`),
  });
  const input = { ...given, tree };
  return {
    ...{ input, told },
    finished: (proposal) => {
      const after = apart(proposal.tree[file] ?? "");
      if (after === undefined) return not("fixed-elsewhere", "a header would change", view.line);
      const evidence = told(proposal.evidence);
      const kept = { ...proposal, tree: { ...proposal.tree, [file]: after.own }, evidence };
      if (after.headers === joined) return kept;
      const copied = copiesOf({ ...input, tree: proposal.tree }, { before: joined, after, mark: first });
      if (copied === undefined)
        return not("fixed-elsewhere", "more than functions of an included header would change", view.line);
      const names = [...copied.names].map(([name, copy]) => `${copy} is ${name} of a header for this kernel`);
      return {
        ...kept,
        tree: { ...kept.tree, [file]: copied.text },
        hypothesis: `${proposal.hypothesis.replace(/\.$/, "")}; ${names.join(", ")}.`,
      };
    },
  };
}

/** The file's own text, and the headers' as a rewrite has left it. */
function apart(text: string): { readonly own: string; readonly headers: string } | undefined {
  const [start, end] = [text.indexOf(`\n${first}\n`), text.indexOf(`\n${last}\n`)];
  if (start < 0 || end < start) return undefined;
  const behind = text.slice(end + last.length + 2);
  const headers = text.slice(start + first.length + 2, end);
  return { own: text.slice(0, start) + (behind.trim() === "" ? "" : behind), headers };
}
