import { known } from "../../base/known";
import * as z from "zod/mini";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { readShape } from "../../base/shape";
import type { CorrectVerdict } from "../../judge/verdict";
import { type CounterName, counterCatalogue, counterNames } from "../../timing/counter-catalogue";
import { describeNanoseconds } from "../../words/quantities";
import { answerObject, longestText } from "./answer-object";

const answerShape = z.looseObject({
  bottleneck: z.string(),
  place: z.optional(z.nullable(z.string())),
  because: z.string(),
  advice: z.string(),
});

/** What a judge named; the figures in `bottleneck` are those that were counted. */
interface NamedBottleneck {
  readonly bottleneck: string;
  readonly because: string;
  readonly advice: string;
}

/** Every name that a judge may give, with its figure: terms of the bound, then counters. */
export function bottleneckNames({ bound, counters }: CorrectVerdict): readonly string[] {
  const terms = Object.entries(bound.terms)
    .filter(([, nanoseconds]) => nanoseconds > 0)
    .map(([name, nanoseconds]) => `${name}: a term of the bound, ${describeNanoseconds(nanoseconds)}`);
  const counted = counterNames
    .filter((name) => counters.totals[name] > 0)
    .map((name) => `${name}: ${counterCatalogue[name].title}, ${counters.totals[name]} in all`);
  return [...terms, ...counted];
}

/**
 * Reads the answer of a judge. One that names what was not counted is refused: the problem says in a sentence
 * what is wrong with it.
 */
export function readJudgeAnswer(text: string, verdict: CorrectVerdict): Outcome<NamedBottleneck, string> {
  const read = answerObject(text, (value) => readShape(answerShape, value));
  if (!read.ok) return read;
  const { bottleneck, place, because, advice } = read.value;
  const named = figureOf(bottleneck, place ?? undefined, verdict);
  if (!named.ok) return named;
  return succeed({
    bottleneck: named.value,
    because: because.slice(0, longestText),
    advice: advice.slice(0, longestText),
  });
}

/** The name with the figure that was counted for it. */
function figureOf(
  name: string,
  place: string | undefined,
  { bound, counters }: CorrectVerdict,
): Outcome<string, string> {
  const term = Object.hasOwn(bound.terms, name) ? bound.terms[name] : undefined;
  const isCounter = isCounterName(name);
  if (!isCounter && !(term !== undefined && term > 0))
    return fail(`it names ${JSON.stringify(name.slice(0, 80))}, which was not counted`);
  const line =
    place === undefined ? undefined : counters.lines.find((each) => `${each.file}:${each.line}` === place);
  if (place !== undefined && line === undefined)
    return fail(`it names the line ${JSON.stringify(place.slice(0, 160))}, where nothing was counted`);
  const where = place === undefined ? "" : ` at ${place}`;
  if (!isCounter)
    return succeed(
      `the term \`${name}\`, ${describeNanoseconds(known(term, "a term of the bound"))} of a bound of ${describeNanoseconds(bound.nanoseconds)}${where}`,
    );
  const count = (line ?? counters.totals)[name];
  if (!(count > 0)) return fail(`it names ${name}${where}, of which none was counted`);
  return succeed(`\`${name}\` (${counterCatalogue[name].title})${where}, ${count} counted`);
}

function isCounterName(name: string): name is CounterName {
  return counterNames.some((known) => known === name);
}
