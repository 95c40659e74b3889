import { type Outcome, fail } from "../base/outcome";
import { evaluateSizeExpression, parseSizeExpression, variablesOf } from "../workload/size-expression";

/** What a name stands for: a number, another expression, or nothing that is known. */
type Lookup = (name: string) => number | string | undefined;

/**
 * Value of an integer expression in the words of C or Python. Names are followed through `lookup` to their
 * ends; a name that needs itself has no value. The problem is one sentence with the expression.
 */
export function evaluateExpression(
  expression: string,
  lookup: Lookup,
  open: readonly string[] = [],
): Outcome<number, string> {
  const parsed = parseSizeExpression(expression);
  if (!parsed.ok) return fail(`"${expression}", column ${parsed.problem.column}: ${parsed.problem.message}`);
  const values: Record<string, number> = {};
  for (const name of variablesOf(parsed.value)) {
    const meaning = open.includes(name) ? undefined : lookup(name);
    if (typeof meaning === "number") values[name] = meaning;
    if (typeof meaning !== "string") continue;
    const inner = evaluateExpression(meaning, lookup, [...open, name]);
    if (!inner.ok) return inner;
    values[name] = inner.value;
  }
  const outcome = evaluateSizeExpression(parsed.value, values);
  return outcome.ok ? outcome : fail(`"${expression}": ${outcome.problem.message}`);
}

/** The value alone; undefined when the expression has none. */
export function numberOf(expression: string, lookup: Lookup): number | undefined {
  const outcome = evaluateExpression(expression, lookup);
  return outcome.ok ? outcome.value : undefined;
}
