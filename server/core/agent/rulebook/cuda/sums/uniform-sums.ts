import { arraysOf } from "../../../../language/cuda/body/arrays";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { changes, isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { calledFunctions } from "../../../../language/cuda/body/threads";
import { compact, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { carriedValues } from "../rows/carried-values";
import { localTypes, plainType } from "../spelling/calls/objects";
import { memberType } from "../structures/structure-layout";

/** A value that a loop puts together of all its turns. */
interface UniformValue {
  readonly name: string;
  readonly type: string;
  readonly combination: "sum" | "greatest" | "least";
}

/** A loop that does the same in every thread of a block, with what it puts together. */
export interface SharedSum {
  readonly loop: CountedLoop;
  readonly values: readonly UniformValue[];
}

const plainTypes =
  /^(?:float|double|int|unsigned|unsigned int|long long|unsigned long long|u?int(?:32|64)_t)$/;
const leaving = ["break_statement", "return_statement", "goto_statement"];
const acting = /\b(?:__sync\w*|__shfl\w*|__ballot\w*|atomic\w+|__threadfence\w*|printf|asm)\b/;

/** What a loop puts together, alike in all threads of a block; a guard's answer where it does more. */
export function sharedSum(
  view: KernelView,
  loop: CountedLoop,
  varies: (node: SyntaxNode) => boolean,
): SharedSum | RuleHold {
  const held = notAlike(view, loop, varies);
  if (held !== undefined) return held;
  const carried = carriedValues(loop.body, loop.variable, { members: true });
  if (isNot(carried)) return carried;
  const types = localTypes(view);
  const values = carried.flatMap(
    ({ name, combination, place, online, variance }): readonly UniformValue[] => {
      const [object = name, member] = name.split(".");
      const whole = plainType(types.get(object) ?? "");
      const type = member === undefined ? whole : (memberType(view, whole, member) ?? "");
      const plain = place === undefined && online === undefined && variance === undefined;
      const known = combination === "sum" || combination === "greatest" || combination === "least";
      return plain && known && plainTypes.test(type) ? [{ name, type, combination }] : [];
    },
  );
  if (values.length === 0 || values.length < carried.length)
    return not("no-pattern", "the loop makes other values than plain sums and extremes", loop.loop);
  return { loop, values };
}

/** Why a loop is no plain walk from its start to its end. */
function notPlain({
  loop,
  body,
  variable,
  step,
  start,
  bound,
  comparison,
}: CountedLoop): RuleHold | undefined {
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  if (!byOne || !["<", "<="].includes(comparison) || !isPure(start) || !isPure(bound))
    return not("no-pattern", `${variable} does not count up to an end by one`, loop);
  const ends = bound.descendantsOfType("identifier").some(({ text }) => isAssigned(body, text));
  const [leaves] = body.descendantsOfType(leaving);
  return ends || isAssigned(body, variable) || leaves !== undefined
    ? not("dependence", "the loop may end in its middle", leaves ?? loop)
    : undefined;
}

/** Why the turns of a loop are not the same work in all threads, or no work of any thread's own. */
function notAlike(
  view: KernelView,
  walk: CountedLoop,
  varies: (node: SyntaxNode) => boolean,
): RuleHold | undefined {
  const { loop, body } = walk;
  const uneven = notPlain(walk);
  if (uneven !== undefined) return uneven;
  if (varies(loop)) return not("no-pattern", "no loop does the same in all threads of a block", loop);
  const stored = changes(body).find(({ target }) => !/^\w+(?:\.\w+)?$/.test(compact(target)));
  if (stored !== undefined || acting.test(body.text))
    return not("dependence", "the loop does more than load and put together", stored?.act ?? loop);
  if (calledFunctions(view.model, view.kernel, [loop]).length > 0)
    return not("aliasing", "the loop calls a function of the file", loop);
  const own = arraysOf(view.body).find(
    ({ name, declaration, storage }) =>
      storage === "local" && !isInside(declaration, body) && usesOf(loop, name).length > 0,
  );
  if (own !== undefined) return not("cooperation", `${own.name} is an array of each thread`, loop);
  const chosen = chosenByThread(view, loop, varies);
  return chosen && not("dependence", `${chosen.text} is not the same in all threads`, chosen);
}

/** A name of the loop that is given a value on a condition which threads decide each for itself. */
function chosenByThread(
  { body }: KernelView,
  loop: SyntaxNode,
  varies: (node: SyntaxNode) => boolean,
): SyntaxNode | undefined {
  const names = new Set(loop.descendantsOfType("identifier").map(({ text }) => text));
  // A variable of the loop's own is no other loop's of the same name.
  for (const declaration of loop.descendantsOfType("declaration"))
    for (const declarator of declaration.childrenForFieldName("declarator"))
      names.delete(declarator.descendantsOfType("identifier")[0]?.text ?? "");
  // Whoever stores an element of shared memory, all threads load the same.
  for (const { name, storage } of arraysOf(body)) if (storage !== "local") names.delete(name);
  const found = changes(body).find(({ act, target }) => {
    const name = target.descendantsOfType("identifier")[0]?.text ?? target.text;
    if (!names.has(name) || isInside(act, loop)) return false;
    for (let up = act.parent; up !== null && up.id !== body.id; up = up.parent) {
      const condition = up.childForFieldName("condition");
      if (condition !== null && varies(condition)) return true;
    }
    return false;
  });
  return found?.target;
}
