import { at } from "../base/known";
import { type Outcome, fail, succeed } from "../base/outcome";
import { evaluateSizeExpression } from "../workload/size-expression";
import type { ArgumentSpec, SizeExpression } from "../workload/spec";
import { evaluateExpression } from "./evaluate";
import type { LaunchSite } from "./facts";

/** A launch in numbers; missing dimensions are 1. */
export interface LaunchShape {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
}

export interface LaunchQuestion {
  readonly site: LaunchSite;
  /**
   * The spec's arguments, in the order of the kernel's parameters: they tie the host function's names to the
   * spec's sizes.
   */
  readonly arguments: readonly ArgumentSpec[];
  readonly sizes: Readonly<Record<string, number>>;
}

/**
 * Grid, block and shared bytes of a launch site for given sizes. A name in the site means, in this order: the
 * scalar that the spec passes where the site passes that name; a constant of the site; a size of the same
 * name. The problem is one sentence.
 */
export function evaluateLaunchSite(question: LaunchQuestion): Outcome<LaunchShape, string> {
  const values = new Map<string, number>(Object.entries(question.sizes));
  for (const [index, argument] of question.arguments.entries()) {
    const passed = question.site.arguments[index];
    if (passed === undefined || !/^[A-Za-z_]\w*$/.test(passed)) continue;
    if (typeof argument === "string" || !("value" in argument)) continue;
    const value = evaluateSizeExpression(argument.value, question.sizes);
    if (value.ok) values.set(passed, value.value);
  }
  const problems: string[] = [];
  const number = (expression: SizeExpression, what: string): number => {
    const outcome = evaluateExpression(
      String(expression),
      (name) => values.get(name) ?? constantOf(question.site, name),
    );
    if (!outcome.ok)
      problems.push(
        `${what} of the launch of ${question.site.kernel} on line ${question.site.range.start.line + 1}: ${outcome.problem}`,
      );
    return outcome.ok ? outcome.value : 0;
  };
  const triple = (expressions: readonly string[], what: string): readonly [number, number, number] => {
    if (expressions.length === 0)
      problems.push(
        `the ${what} of the launch of ${question.site.kernel} cannot be read from the source: write it into the spec`,
      );
    return [0, 1, 2].map((index) =>
      expressions[index] === undefined ? 1 : number(expressions[index], `the ${what}`),
    ) as [number, number, number];
  };
  const shape = {
    grid: triple(question.site.grid, "grid"),
    block: question.site.dialect === "triton" ? ([1, 1, 1] as const) : triple(question.site.block, "block"),
    sharedBytes: question.site.shared === undefined ? 0 : number(question.site.shared, "the shared memory"),
  };
  return problems.length === 0 ? succeed(shape) : fail(at(problems, 0));
}

/** Threads of a block and dynamic shared memory of a launch site, as far as its constants alone say. */
export function evaluateBlock(site: LaunchSite): {
  readonly threadsPerBlock?: number;
  readonly dynamicSharedBytes: number;
} {
  const lookup = (name: string): string | undefined => constantOf(site, name);
  const sides = site.block.map((expression) => evaluateExpression(expression, lookup));
  const shared = site.shared === undefined ? succeed(0) : evaluateExpression(site.shared, lookup);
  const known = sides.length > 0 && sides.every((side) => side.ok);
  return {
    ...(known
      ? { threadsPerBlock: sides.reduce((product, side) => product * (side.ok ? side.value : 1), 1) }
      : {}),
    dynamicSharedBytes: shared.ok ? shared.value : 0,
  };
}

function constantOf(site: LaunchSite, name: string): string | undefined {
  return Object.hasOwn(site.constants, name) ? site.constants[name] : undefined;
}
