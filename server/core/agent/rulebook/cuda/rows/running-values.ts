import { at } from "../../../../base/known";
import type { SyntaxNode } from "../../../../language/tree";
import { effectOf, type Numbers } from "./loop-effects";

/** A running maximum and the sum of exponentials below it. */
export interface OnlineSum {
  readonly maximum: string;
  readonly total: string;
  /** The function of the exponentials, as written. */
  readonly exponential: string;
}

/** A running mean and the sum of squared distances from it. */
export interface RunningVariance {
  readonly mean: string;
  readonly squares: string;
  /** The variable that counts the elements; undefined where `i + 1` of the loop does. */
  readonly count: string | undefined;
}

const exponentials = /^(?:std::|::)?(?:__expf|expf?|exp2f?)$/;

/** Three states in which nothing is special; the first two differ in all, the third lies far below. */
const states = [
  [0.71, 1.93, 4],
  [1.37, 2.71, 9],
  [-5.2, 0.83, 6],
] as const;

/** A running maximum and sum among the variables that a body changes, told by what it makes of numbers. */
export function onlineSum(body: SyntaxNode, changed: readonly string[]): OnlineSum | undefined {
  const calls = body
    .descendantsOfType("call_expression")
    .map((call) => call.childForFieldName("function")?.text ?? "");
  const [exponential, ...others] = new Set(calls.filter((name) => exponentials.test(name)));
  if (exponential === undefined || others.length > 0) return undefined;
  const power = (value: number): number => (exponential.includes("exp2") ? 2 ** value : Math.exp(value));
  for (const maximum of changed) {
    const value = effectOf(body, new Map([[maximum, -1e30]]))?.get(maximum);
    if (value === undefined || Math.abs(value) > 1e3) continue;
    for (const total of changed.filter((name) => name !== maximum)) {
      const holds = [value - 0.6, value + 0.9, value - 3].every((most, place) => {
        const [, sum] = at(states, place);
        const after = effectOf(
          body,
          new Map([
            [maximum, most],
            [total, sum],
          ]),
        );
        const top = Math.max(most, value);
        return (
          isNear(after?.get(maximum), top) &&
          isNear(after?.get(total), sum * power(most - top) + power(value - top))
        );
      });
      if (holds && isApart(body, [maximum, total], changed)) return { maximum, total, exponential };
    }
  }
  return undefined;
}

/** A running mean and variance among the variables that a body changes, in any spelling. */
export function runningVariance(
  body: SyntaxNode,
  { changed, variable }: { readonly changed: readonly string[]; readonly variable: string },
): RunningVariance | undefined {
  const counts = [...changed.filter((name) => countsElements(body, name)), undefined];
  for (const count of counts) {
    const names = changed.filter((name) => name !== count);
    for (const mean of names) {
      for (const squares of names.filter((name) => name !== mean)) {
        if (!isRunning(body, { mean, squares, count, variable })) continue;
        const group = [mean, squares, ...(count === undefined ? [] : [count])];
        if (isApart(body, group, changed)) return { mean, squares, count };
      }
    }
  }
  return undefined;
}

/** True for a variable that grows by one, whatever else there is. */
function countsElements(body: SyntaxNode, name: string): boolean {
  return states.every(([, , count]) =>
    isNear(effectOf(body, new Map([[name, count]]))?.get(name), count + 1),
  );
}

/** True where the three change as a mean, a sum of squares and a count do. */
function isRunning(
  body: SyntaxNode,
  { mean, squares, count, variable }: RunningVariance & { readonly variable: string },
): boolean {
  const elements = states.map(([average, sum, number]) => {
    const before = new Map([
      [mean, average],
      [squares, sum],
      [count ?? variable, number],
    ]);
    const after = effectOf(body, before, variable);
    const [next, total] = [after?.get(mean), after?.get(squares)];
    if (next === undefined || total === undefined) return undefined;
    const element = average + (next - average) * (number + 1);
    return isNear(total - sum, (element - average) * (element - next)) ? element : undefined;
  });
  const [first] = elements;
  return first !== undefined && elements.every((element) => isNear(element, first)) && first !== 0;
}

/** True where the other variables do not see the group. */
function isApart(body: SyntaxNode, group: readonly string[], changed: readonly string[]): boolean {
  const others = changed.filter((name) => !group.includes(name));
  const runs = states.map((state) => {
    const own: Numbers = new Map(group.map((name, place) => [name, at(state, place)]));
    return effectOf(body, new Map([...own, ...others.map((name) => [name, 1] as const)]));
  });
  return others.every((name) =>
    runs.every((run) => isNear(run?.get(name), runs[0]?.get(name) ?? Number.NaN)),
  );
}

function isNear(value: number | undefined, wanted: number): boolean {
  return value !== undefined && Math.abs(value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}
