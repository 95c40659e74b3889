import { type BoundTermName, termOf } from "../../timing/bound";
import { defaultGpu, type GpuModel, gpuNamed, gpuNames } from "../../timing/gpu-model";
import { defaultTarget } from "../../timing/target";
import type { LineCounters } from "../../timing/counters";
import { sumCounters } from "../../timing/counters";
import type { SyntaxNode } from "../../language/tree";
import type { RuleEvidence, RuleInput } from "./rule";
import type { RuleEntry } from "./rule-table";
import { fillSentence } from "./rule-table";

export type Counts = Omit<LineCounters, "file" | "line">;

/** Sum of the counters of the lines from the first to the last line of the node. */
export function countsOf(input: RuleInput, node: SyntaxNode): Counts {
  const [first, last] = [node.startPosition.row + 1, node.endPosition.row + 1];
  return sumCounters(
    input.counters.lines.filter(
      (entry) => entry.file === input.file && entry.line >= first && entry.line <= last,
    ),
  );
}

/** Sum of the counters of the file's other lines: what its functions did for the kernel at the node. */
export function countsBeside({ counters, file }: RuleInput, node: SyntaxNode): Counts {
  const [first, last] = [node.startPosition.row + 1, node.endPosition.row + 1];
  return sumCounters(
    counters.lines.filter((entry) => entry.file === file && (entry.line < first || entry.line > last)),
  );
}

/** Instructions of the machine: those that PTX has not are counted with what stands for them. */
export function issuedIn({ instructions, machine }: Counts): number {
  return instructions + (machine?.instructions ?? 0);
}

/** The value over the ideal; 1 when there is nothing to count. */
export function wasteOf(value: number, ideal: number): number {
  return value <= 0 ? 1 : value / Math.max(ideal, 1);
}

/** What is wasted of a counter over the kernel's total of that counter: 0 … 1. */
export function shareSaved(saved: number, total: number): number {
  return total <= 0 ? 0 : Math.min(1, Math.max(0, saved / total));
}

/** Terms of the modelled bound that a rewrite can lower: see server/core/timing/bound.ts. */
export type BoundTerm = Exclude<BoundTermName, "launch">;

/** A term far below the binding one still breaks a tie between rewrites. */
const leastWeight = 0.05;

/**
 * What a rewrite may save of the modelled bound, 0 … 1: the fraction of what is counted, weighed by how much
 * of the bound the greatest of its terms is.
 */
export function gainOn(input: RuleInput, terms: readonly BoundTerm[], fraction: number): number {
  const greatest = Math.max(...terms.map((term) => termOf(input.bound, term)));
  const weight = input.bound.nanoseconds > 0 ? greatest / input.bound.nanoseconds : 0;
  return fraction * Math.min(1, Math.max(leastWeight, weight));
}

/** What a warp issues for an access to memory: its own instruction, and the arithmetic of its address. */
const instructionsEach = 4;

/**
 * The same where accesses get fewer: of some memory terms all of the fraction, of what is issued as much as
 * the accesses are of it.
 */
export function gainOnAccesses(
  input: RuleInput,
  terms: readonly BoundTerm[],
  { requests, fraction }: { readonly requests: number; readonly fraction: number },
): number {
  const issued = shareSaved(instructionsEach * requests, issuedIn(input.counters.totals));
  return Math.max(gainOn(input, terms, fraction), gainOn(input, ["issue"], fraction * issued));
}

/**
 * A gain that arithmetic of whole numbers may bring, and no more than what the machine issues for it beyond
 * PTX on some lines; logs of earlier versions do not say that.
 */
export function gainOnHidden(input: RuleInput, most: number, lines?: ReadonlySet<number>): number {
  const { counters, file } = input;
  if (counters.totals.machine === undefined) return gainOn(input, ["issue", "integer"], most);
  const own = counters.lines.filter((each) => each.file === file && lines?.has(each.line) !== false);
  const hidden = own.reduce((sum, { machine }) => sum + (machine?.instructions ?? 0), 0);
  const share = shareSaved(hidden, issuedIn(counters.totals));
  return gainOn(input, ["issue", "integer"], Math.min(most, share));
}

/** Evidence with the sentence of the rule's table, its blanks filled in. */
export function evidenceFor(
  entry: RuleEntry,
  facts: Omit<RuleEvidence, "sentence">,
  blanks: Readonly<Record<string, string | number>> = {},
): RuleEvidence {
  const ratio = Math.round((facts.value / Math.max(facts.ideal, 1)) * 10) / 10;
  const numbers = { line: facts.line, value: facts.value, ideal: facts.ideal, ratio };
  return { ...facts, sentence: fillSentence(entry.sentence, { ...numbers, ...blanks }) };
}

/**
 * The GPU that a kernel was judged for: the row of gpu-limits.json that its bound names. A GPU that the table
 * lacks is taken to be like the usual one of the architecture that the kernel was compiled for.
 */
export function targetGpu({ bound, facts }: Pick<RuleInput, "bound" | "facts">): GpuModel {
  return gpuNames().includes(bound.gpu)
    ? gpuNamed(bound.gpu)
    : defaultGpu(facts[0]?.architecture ?? defaultTarget.architecture);
}
