import type { HoldReason, NamedCause } from "../../trajectory/events";
import type { Rule, RuleAnswer } from "./rule";
import { causeRemedy } from "./rule-table";

/** A cause as a rule names it. */
export interface RuleCause extends NamedCause {
  /** The rule has a rewrite for it, so that it has understood the code. */
  readonly rewritten: boolean;
}

/** Reasons of a rule that has seen nothing. */
const silent: ReadonlySet<HoldReason> = new Set(["no-evidence", "no-pattern", "unreadable"]);

/** How the elements of neighbouring threads lie: of one kernel one of these is true. */
const layouts: ReadonlySet<string> = new Set([
  "array-of-structures",
  "strided-threads",
  "swapped-axes",
  "thread-per-row",
  "transposed-access",
]);

/**
 * Causes that the counters tell by themselves: a rule that would fill the GPU with what else a kernel waits
 * for does not make its grid small.
 */
const known: ReadonlySet<string> = new Set(["small-grid"]);

/** The cause that an answer speaks of; none where the rule has seen no waste. */
export function causeIn({ cause }: Rule, answer: RuleAnswer): readonly RuleCause[] {
  if (answer.gain === undefined) return [];
  if (answer.kind === "not" && silent.has(answer.because)) return [];
  const rewritten = answer.kind === "proposal";
  const { line, sentence } = rewritten ? answer.evidence : answer;
  return [{ cause: cause.id, words: cause.words, share: answer.gain, line, sentence, rewritten }];
}

/** A cause that follows from the counters. */
export interface CountedCause extends NamedCause {
  /** How the elements lie is taken from which side is far apart alone, for no index says it. */
  readonly guessed: boolean;
}

/**
 * What costs time, the most expensive first, each cause once at its most expensive place. How the elements of
 * threads lie is said by rules that have a rewrite and by an index with its counters, else by rules that only
 * name, and else by the counters alone.
 */
export function rankedCauses(
  fromRules: readonly RuleCause[],
  counted: readonly CountedCause[],
): readonly NamedCause[] {
  const isLayout = ({ cause }: NamedCause): boolean => layouts.has(cause);
  const heard = fromRules.filter(({ cause }) => !known.has(cause));
  const others = [...heard, ...counted].filter((cause) => !isLayout(cause));
  // Elements that are looked up lie wherever their places say: rules that only name take them for rows.
  const isLookedUp = counted.some(({ cause }) => cause === "looked-up-elements");
  const understood = isLookedUp ? fromRules.filter(({ rewritten }) => rewritten) : fromRules;
  const sorted = [...others, ...layoutsSaid(understood.filter(isLayout), counted.filter(isLayout))]
    .map(({ cause, words, share, line, sentence }) => {
      return { cause, words, share, line, sentence, helps: causeRemedy(cause) };
    })
    .sort((a, b) => b.share - a.share);
  return sorted.filter(
    ({ cause }, position) => sorted.findIndex((other) => other.cause === cause) === position,
  );
}

function layoutsSaid(
  fromRules: readonly RuleCause[],
  counted: readonly CountedCause[],
): readonly NamedCause[] {
  const read = counted.filter(({ guessed }) => !guessed);
  if (read.length > 0) return [...fromRules.filter(({ rewritten }) => rewritten), ...read];
  return fromRules.length > 0 ? fromRules : counted;
}
