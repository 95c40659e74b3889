import * as z from "zod/mini";
import { retold, t } from "../../base/localized";
import { objectOf } from "../../base/shape";
import type { InputVariant, MadeUp } from "../../judge/verdict";
import { inputVariant, madeUpShape } from "../../judge/verdict-shape";
import { describeDrawn, describeInputs, describeSizes } from "../../words/describe";
import { plural } from "../../words/quantities";

/** A case that the tester made up against a candidate, and what became of it. */
export interface ChallengedCase extends MadeUp {
  readonly sizes: Readonly<Record<string, number>>;
  readonly values?: Readonly<Record<string, number>>;
  readonly variant: InputVariant;
  /** `void` blames nobody: the original does not pass it either, or it is beyond the spec. */
  readonly outcome: "passed" | "failed" | "void";
  /** Why, for a case that was not passed. */
  readonly reason: string;
}

/** What the tester tried against one candidate. */
export interface Challenged {
  readonly candidate: string;
  /** In the order in which they were run; the first that failed is the last. */
  readonly cases: readonly ChallengedCase[];
  /** Why cases of the answer were not run, one sentence each; left out where none was refused. */
  readonly refused?: readonly string[];
}

export const challengedShape = objectOf<Challenged>()({
  candidate: z.string(),
  cases: z.array(
    objectOf<ChallengedCase>()({
      ...madeUpShape.shape,
      sizes: z.record(z.string(), z.number()),
      values: z.optional(z.record(z.string(), z.number())),
      variant: inputVariant,
      outcome: z.enum(["passed", "failed", "void"]),
      reason: z.string(),
    }),
  ),
  refused: z.optional(z.array(z.string())),
});

/** `n=77 (x all -200): passed`. */
export function describeChallengedCase(challenged: ChallengedCase): string {
  const { sizes, inputs, variant, outcome, reason } = challenged;
  const special = variant === "declared" ? "" : describeInputs({ inputs: variant });
  const drawn = [describeDrawn(inputs), special].filter((each) => each !== "").join(", ");
  const told = { passed: t`passed`, failed: t`failed`, void: t`blames nobody` }[outcome];
  const why = reason === "" ? "" : `: ${retold(reason)}`;
  return `${describeSizes(sizes) || t`the only shape`}${drawn === "" ? "" : ` (${drawn})`}: ${told}${why}`;
}

/** Each case of a candidate on a line of its own, those that were refused last. */
export function challengedLines({ cases, refused = [] }: Challenged): readonly string[] {
  return [...cases.map(describeChallengedCase), ...refused.map((reason) => t`refused: ${retold(reason)}`)];
}

/** `3 cases of the tester: 2 passed, 1 failed`. */
export function describeChallenged({ cases, refused = [] }: Challenged): string {
  const count = (outcome: ChallengedCase["outcome"]): number =>
    cases.filter((each) => each.outcome === outcome).length;
  const counts = [
    { number: count("passed"), told: (number: number) => t`${number} passed` },
    { number: count("failed"), told: (number: number) => t`${number} failed` },
    { number: count("void"), told: (number: number) => t`${number} blame nobody` },
    { number: refused.length, told: (number: number) => t`${number} refused` },
  ]
    .filter(({ number }) => number > 0)
    .map(({ number, told }) => told(number));
  const all = t`${plural(cases.length + refused.length, "case")} of the tester`;
  return counts.length === 0 ? all : `${all}: ${counts.join(", ")}`;
}
