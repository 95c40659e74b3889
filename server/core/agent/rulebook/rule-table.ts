import { invariant } from "../../base/assert";
import { withSingulars } from "../../base/singulars";
import { counterCatalogue } from "../../timing/counter-catalogue";
import { termOf } from "../../timing/bound";
import type { CounterName } from "../../timing/counters";
import { groupDigits } from "../../words/quantities";
import type { Dialect } from "../../workload/spec";
import { not, type Rule, type RuleAnswer, type RuleInput } from "./rule";
import causes from "./causes.json";
import remedies from "./remedies.json";
import table from "./rules.json";

/** The data of a rule: what it reads, when it fires and what it says. */
export interface RuleEntry {
  readonly id: string;
  readonly title: string;
  /** What it mends: an entry of causes.json. */
  readonly cause: string;
  /** What the rewrite does to the source, in Markdown: the middle column of docs/rulebook.md. */
  readonly change: string;
  readonly dialects: readonly Dialect[];
  /** Counters of which one must show the waste before the rule fires; evidence names one of them. */
  readonly counters: readonly (
    | CounterName
    | "threadsPerBlock"
    | "sharedBytes"
    | "spillLoadBytes"
    | "copies"
    | "hostCalls"
    | "launches"
  )[];
  readonly thresholds: Readonly<Record<string, number>>;
  /** Blanks in braces: {line}, {value}, {ideal}, {ratio} and what the rule adds. */
  readonly sentence: string;
  /**
   * What is changed and why it should help, with the rule's blanks; empty where the rule only names a waste.
   */
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

/** What a rule does, in a few words; undefined for one that is no more. */
export function ruleTitle(id: string): string | undefined {
  return entries.get(id)?.title;
}

/** Every entry of rules.json, in its order. */
export function ruleEntries(): readonly RuleEntry[] {
  return [...entries.values()];
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
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    invariant(value !== undefined, `nothing fills {${name}} in "${template}"`);
    return typeof value === "number" ? formatNumber(value) : value;
  });
  return withSingulars(filled);
}

function formatNumber(value: number): string {
  return groupDigits(Math.round(value * 10) / 10);
}

/** What is wrong with a kernel, for the user: the words of causes.json. */
export function causeWords(cause: string): string {
  const words = (causes as Readonly<Record<string, string>>)[cause];
  invariant(words !== undefined, `causes.json has no cause ${cause}`);
  return words;
}

/** What usually helps against a cause, for the user: the words of remedies.json. */
export function causeRemedy(cause: string): string | undefined {
  return (remedies as Readonly<Record<string, string>>)[cause];
}

type Found = RuleAnswer | readonly RuleAnswer[];

/**
 * A rule from its table entry and the function that answers; the entry's identity and words are never
 * repeated in code. A function that gives no answer at all is a bug.
 */
export function defineRule(id: string, find: (input: RuleInput, entry: RuleEntry) => Found): Rule {
  const entry = ruleEntry(id);
  const { title, dialects } = entry;
  return {
    id,
    title,
    cause: { id: entry.cause, words: causeWords(entry.cause) },
    dialects,
    answer: (input) => {
      invariant(dialects.includes(input.dialect), `${id} is no rule for ${input.dialect}`);
      const found = isCounted(entry, input) ? find(input, entry) : uncounted(entry);
      const answers: readonly RuleAnswer[] = "kind" in found ? [found] : found;
      invariant(answers.length > 0, `${id} says why it proposes nothing`);
      return answers;
    },
  };
}

/** True when at least one of the rule's counters counted anything in the kernel. */
function isCounted(entry: RuleEntry, input: RuleInput): boolean {
  const { totals } = input.counters;
  return entry.counters.some((counter) => {
    // What a program launches is recorded one by one, without the gaps between.
    if (counter === "launches") return termOf(input.bound, "launch") > 0 || input.spec.program !== undefined;
    // Nor what its host code takes.
    if (counter === "hostCalls") return input.bound.host !== undefined || input.spec.program !== undefined;
    if (counter === "copies") return termOf(input.bound, counter) > 0;
    if (counter === "spillLoadBytes") return input.facts.some(({ spillLoadBytes }) => spillLoadBytes > 0);
    return counter === "threadsPerBlock" || counter === "sharedBytes" || totals[counter] > 0;
  });
}

function nameOf(counter: RuleEntry["counters"][number]): string {
  if (counter === "hostCalls") return "host calls";
  return Object.hasOwn(counterCatalogue, counter) ? counterCatalogue[counter as CounterName].title : counter;
}

function uncounted(entry: RuleEntry): RuleAnswer {
  return not("no-evidence", `nothing was counted for ${entry.counters.map(nameOf).join(", ")}`, 1);
}
