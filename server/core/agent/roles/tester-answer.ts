import * as z from "zod/mini";
import { oneLine } from "../../base/text";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { readShape } from "../../base/shape";
import { specialVariants } from "../../judge/further-variants";
import type { InputVariant } from "../../judge/verdict";
import { beyondSpec, type MadeUpCase } from "../../workload/cases/made-up-case";
import type { Distribution, KernelSpec } from "../../workload/spec";
import { answerObject } from "./answer-object";

/** A case as it is run, with why the tester made it up. */
export interface TesterCase extends MadeUpCase {
  readonly variant: InputVariant;
  readonly why: string;
}

/** Cases of one answer that are run, at most. */
export const mostCases = 8;
/** Characters of a reason, of the tester or of ours, that are kept. */
const longestWhy = 200;

const words = z.enum(["normal", "uniform", "zero-one", "integers", "positive", "sorted"]);
const figured = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("range"),
    low: z.number(),
    high: z.number(),
    sorted: z.optional(z.boolean()),
  }),
  z.strictObject({ kind: z.literal("constant"), value: z.number() }),
  z.strictObject({
    kind: z.literal("skewed"),
    low: z.number(),
    high: z.number(),
    exponent: z.number(),
  }),
]);
const distribution: z.ZodMiniType<Distribution> = z.union([words, figured]);

const leftOut = <Part extends z.ZodMiniType>(part: Part): z.ZodMiniOptional<z.ZodMiniNullable<Part>> =>
  z.optional(z.nullable(part));

const caseShape = z.looseObject({
  sizes: z.record(z.string(), z.number()),
  values: leftOut(z.record(z.string(), z.number())),
  inputs: leftOut(z.record(z.string(), distribution)),
  special: leftOut(z.string()),
  why: z.string(),
});

const answerShape = z.looseObject({ cases: z.array(z.unknown()) });

/** What an answer comes to. */
export interface TesterAnswer {
  /** Cases that the spec allows, without those of `before` and without repetitions. */
  readonly cases: readonly TesterCase[];
  /** Why others are not run, one sentence each. */
  readonly refused: readonly string[];
}

/**
 * Reads the answer of a tester. A case that is beyond the spec is refused; the answer is, where nothing of it
 * can be run. `before`: keys of cases that were run on these files already.
 */
export function readTesterAnswer(
  text: string,
  spec: KernelSpec,
  before: ReadonlySet<string>,
): Outcome<TesterAnswer, string> {
  const read = answerObject(text, (value) => readShape(answerShape, value));
  if (!read.ok) return read;
  const cases = new Map<string, TesterCase>();
  const refused: string[] = [];
  for (const given of read.value.cases.slice(0, mostCases)) {
    const made = readCase(given, spec);
    if (!made.ok) refused.push(made.problem.slice(0, longestWhy));
    else if (!before.has(keyOf(made.value))) cases.set(keyOf(made.value), made.value);
  }
  if (cases.size > 0 || refused.length === 0) return succeed({ cases: [...cases.values()], refused });
  return fail(`none of its cases can be run: ${refused[0]}`);
}

function readCase(given: unknown, spec: KernelSpec): Outcome<TesterCase, string> {
  const read = readShape(caseShape, given);
  if (!read.ok) return fail(`a case has another form: ${read.problem}`);
  const { sizes, values, inputs, special, why } = read.value;
  const variant = variantOf(special ?? undefined, spec);
  if (variant === undefined)
    return fail(`${JSON.stringify(oneLine(special ?? ""))} are no special values of this spec`);
  const made: TesterCase = {
    sizes,
    ...(values && Object.keys(values).length > 0 && { values }),
    ...(inputs && Object.keys(inputs).length > 0 && { inputs }),
    variant,
    why: oneLine(why).slice(0, longestWhy),
  };
  const beyond = beyondSpec(spec, made);
  return beyond === undefined ? succeed(made) : fail(`a case is beyond the spec: ${beyond}`);
}

function variantOf(special: string | undefined, spec: KernelSpec): InputVariant | undefined {
  if (special === undefined || special === "") return "declared";
  return specialVariants(spec).find((variant) => variant === special);
}

/** Equal for cases that are run alike. */
export function keyOf({ sizes, values = {}, inputs = {}, variant }: Omit<TesterCase, "why">): string {
  const sorted = (record: Readonly<Record<string, unknown>>): unknown =>
    Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([sorted(sizes), sorted(values), sorted(inputs), variant]);
}
