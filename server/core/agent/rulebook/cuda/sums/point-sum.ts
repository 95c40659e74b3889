import { mustGet } from "../../../../base/known";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { fieldText, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { accessesIn, type PointSpace } from "../points/point-space";
import { carriedValues } from "../rows/carried-values";

type Combination = "sum" | "greatest" | "least";

/** A variable in which a point's loop sums up, or keeps an extreme. */
interface PointState {
  readonly name: string;
  readonly type: string;
  readonly start: string;
  readonly combination: Combination;
}

/** `T sum = …; for (…) sum += …; out[…] = sum;` of a point, whatever the loop does in between. */
export interface PointSum {
  readonly loop: CountedLoop;
  readonly states: readonly PointState[];
  /** Other declarations in front of the loop. */
  readonly locals: readonly string[];
  readonly after: readonly SyntaxNode[];
}

/** The loop that makes up a point's work and only sums; a guard's answer where there is none. */
export function pointSum(view: KernelView, space: PointSpace): PointSum | RuleHold {
  const { statements } = space;
  const place = statements.findIndex(({ type }) => type === "for_statement");
  const statement = statements[place];
  const loop = countedLoops(view.body).find((each) => each.loop.id === statement?.id);
  if (loop === undefined || statement === undefined)
    return not("no-pattern", "no counted loop makes up a point's work", view.line);
  const names = sumsOf(loop);
  if (isNot(names)) return names;
  const before = declaredBefore(view, statements.slice(0, place), names);
  if (isNot(before)) return before;
  const late = headOf(loop).flatMap((node) => [...names.keys()].flatMap((name) => usesOf(node, name)))[0];
  if (late !== undefined) return not("dependence", `the loop is as long as ${late.text} says`, late);
  return names.size > 0 && before.states.length === names.size
    ? { loop, ...before, after: statements.slice(place + 1) }
    : not("dependence", "the sums of the loop are not declared right in front of it", statement);
}

/** What the head of a loop reads. */
function headOf({ start, bound, step }: CountedLoop): readonly SyntaxNode[] {
  return [start, bound, ...(step.amount === undefined ? [] : [step.amount])];
}

/** The names in which a loop sums up; a guard's answer where it does anything else. */
function sumsOf(loop: CountedLoop): ReadonlyMap<string, Combination> | RuleHold {
  const { step, comparison, body, variable } = loop;
  const up = step.operator === "+" && ["<", "<="].includes(comparison);
  if (!up || !headOf(loop).every(isPure))
    return not("no-pattern", `${variable} does not count up to an end`, loop.loop);
  const [leaves] = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  if (leaves !== undefined) return not("dependence", "the loop may end in its middle", leaves);
  const stored = changes(body).find(({ target }) => target.type !== "identifier" || target.text === variable);
  if (stored !== undefined) return not("dependence", "the loop changes more than its sums", stored.act);
  const carried = carriedValues(body, variable);
  if (isNot(carried)) return carried;
  const sums = new Map<string, Combination>();
  for (const { name, combination, place } of carried) {
    if (place !== undefined || combination === "online" || combination === "variance")
      return not("no-rewrite", `${name} is no sum`, loop.loop);
    sums.set(name, combination);
  }
  return sums;
}

/** What stands in front of the loop: the sums, and what only names a value. */
function declaredBefore(
  view: KernelView,
  before: readonly SyntaxNode[],
  sums: ReadonlyMap<string, Combination>,
): Pick<PointSum, "states" | "locals"> | RuleHold {
  const states: PointState[] = [];
  const locals: string[] = [];
  const { stored } = cudaAccesses(view.kernel);
  for (const statement of before) {
    const own = statement.type === "declaration" ? localValues(statement) : [];
    const declared = statement.childrenForFieldName("declarator").length;
    const type = fieldText(statement, "type");
    const among = own.filter(({ name }) => sums.has(name));
    // A sum is begun and stored by one thread, as before; other values are looked up twice.
    const reads = accessesIn(view, [statement]).some(({ parameter }) => stored.has(parameter));
    const changing = reads && among.length === 0;
    if (own.length === 0 || own.length < declared || changing || changes(statement).length > 0)
      return not("dependence", "something else than a value is prepared in front of the loop", statement);
    if (among.length > 0 && (among.length < own.length || type === "auto"))
      return not("no-pattern", "a sum is declared together with something else", statement);
    if (among.length === 0) locals.push(statement.text);
    states.push(
      ...among.map(({ name, value }) => ({
        name,
        type: type.replace(/\bconst\b/g, "").trim(),
        start: value.text,
        combination: mustGet(sums, name),
      })),
    );
  }
  return { states, locals };
}
