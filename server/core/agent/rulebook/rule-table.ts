import { invariant } from "../../base/assert";
import type { CounterName } from "../../timing/counters";
import { groupDigits } from "../../words/quantities";
import type { Dialect } from "../../workload/spec";
import type { Rule, RuleInput, RuleProposal } from "./rule";
import table from "./rules.json";

/** The data of a rule: what it reads, when it fires and what it says. */
export interface RuleEntry {
  readonly id: string;
  readonly title: string;
  readonly dialects: readonly Dialect[];
  /** Counters that must show the waste before the rule fires. */
  readonly counters: readonly (CounterName | "threadsPerBlock")[];
  readonly thresholds: Readonly<Record<string, number>>;
  /** Blanks in braces: {line}, {value}, {ideal}, {ratio} and what the rule adds. */
  readonly sentence: string;
  /** What is changed and why it should help, with the rule's blanks. */
  readonly hypothesis: string;
}

const entries = new Map(
  (table as { readonly rules: readonly unknown[] }).rules.map((entry) => [
    (entry as RuleEntry).id,
    entry as RuleEntry,
  ]),
);

/** The entry of rules.json; a rule without one is a bug. */
function ruleEntry(id: string): RuleEntry {
  const entry = entries.get(id);
  invariant(entry !== undefined, `rules.json has no rule ${id}`);
  return entry;
}

export function ruleIds(): readonly string[] {
  return [...entries.keys()];
}

/** A threshold of the rule; a missing one is a bug. */
export function threshold(entry: RuleEntry, name: string): number {
  const value = entry.thresholds[name];
  invariant(value !== undefined, `rule ${entry.id} has no threshold ${name}`);
  return value;
}

/** Fills the blanks; a blank without a value is a bug. */
export function fillSentence(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    invariant(value !== undefined, `nothing fills {${name}} in "${template}"`);
    return typeof value === "number" ? formatNumber(value) : value;
  });
}

function formatNumber(value: number): string {
  return groupDigits(Math.round(value * 10) / 10);
}

/**
 * A rule from its table entry and the function that proposes; the entry's identity and words are never
 * repeated in code.
 */
export function defineRule(
  id: string,
  propose: (input: RuleInput, entry: RuleEntry) => readonly RuleProposal[],
): Rule {
  const entry = ruleEntry(id);
  const { title, dialects } = entry;
  return {
    id,
    title,
    dialects,
    propose: (input) => (dialects.includes(input.dialect) ? propose(input, entry) : []),
  };
}
