import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { changes } from "../../../../language/cuda/body/scope";
import { collapse, compact, fieldText, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";

/** An array of a thread to whose elements the turns of a loop add. */
export interface SummedArray {
  readonly name: string;
  /** How many elements it has, as written. */
  readonly size: string;
}

/** The arrays of a thread that a loop adds to; a guard's answer where it does anything else with one. */
export function summedArrays(view: KernelView, body: SyntaxNode): readonly SummedArray[] | RuleHold {
  const summed: SummedArray[] = [];
  for (const array of arraysOf(view.body).filter(({ storage }) => storage === "local")) {
    const uses = usesOf(body, array.name);
    if (uses.length === 0 || isInside(array.declaration, body)) continue;
    const found = summedIn(body, array);
    if (found === undefined)
      return not("dependence", `${array.name} belongs to one thread`, array.declaration);
    if (found !== "read") summed.push(found);
  }
  return summed;
}

/** What a loop does with an array of one dimension: it reads it, or adds to its elements. */
function summedIn(body: SyntaxNode, array: KernelArray): SummedArray | "read" | undefined {
  const inside = array.accesses.filter(({ node }) => isInside(node, body));
  const [size, ...more] = array.sizes;
  if (array.escape !== undefined || size === undefined || inside.length === 0) return undefined;
  const changed = changes(body).filter(({ target }) => usesOf(target, array.name).length > 0);
  if (changed.length === 0) return "read";
  const adds = changed.every(
    ({ act, target }) =>
      more.length === 0 &&
      target.type === "subscript_expression" &&
      fieldText(act, "operator") === "+=" &&
      usesOf(act.childForFieldName("right") ?? act, array.name).length === 0,
  );
  return adds && changed.length === inside.length ? { name: array.name, size: size.text } : undefined;
}

/** `if (CONDITION) break;` among the statements of a loop's body. */
export interface Stop {
  readonly statement: SyntaxNode;
  readonly condition: SyntaxNode;
  /** The last statement of the body. */
  readonly last: SyntaxNode;
}

/**
 * The one way out of a loop, if what stands before it may be done for turns that are never reached:
 * arithmetic on numbers at hand.
 */
export function stopIn(body: SyntaxNode): Stop | undefined {
  const leaving = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  const skips = body.descendantsOfType("continue_statement");
  const all = statementsOf(body);
  const place = all.findIndex(
    (node) => node.type === "if_statement" && leaving.some((each) => isInside(each, node)),
  );
  const [statement, last] = [all[place], all.at(-1)];
  const condition = statement?.childForFieldName("condition")?.childForFieldName("value");
  const plain = /^\{?break;\}?$/.test(compact(statement?.childForFieldName("consequence")));
  if (!statement || !last || !condition || !plain || leaving.length > 1 || skips.length > 0) return undefined;
  if (body.type !== "compound_statement" || statement.childForFieldName("alternative") !== null)
    return undefined;
  const before = [...all.slice(0, place).flatMap(partsBefore), condition];
  return before.every(isHarmless) && place < all.length - 1 ? { statement, condition, last } : undefined;
}

/** Declarations are arithmetic; any other statement is itself, which is none. */
function partsBefore(statement: SyntaxNode): readonly SyntaxNode[] {
  if (statement.type !== "declaration") return [statement];
  return statement
    .descendantsOfType("init_declarator")
    .flatMap((node) => node.childForFieldName("value") ?? []);
}

/** Calls that do nothing but make one number of others. */
const arithmetic = /^(?:static_cast<[\w ]+>|int|unsigned|float|(?:std::)?(?:f?minf?|f?maxf?|f?absf?))$/;

/** True for arithmetic on numbers at hand: no loads, no changes. */
function isHarmless(node: SyntaxNode): boolean {
  const loads = node.descendantsOfType(["subscript_expression", "pointer_expression"]);
  const arrows = node.descendantsOfType("field_expression").filter(({ text }) => text.includes("->"));
  const calls = node
    .descendantsOfType("call_expression")
    .filter((call) => !arithmetic.test(collapse(fieldText(call, "function"))));
  const statement = /_statement$/.test(node.type);
  return !statement && changes(node).length + loads.length + arrows.length + calls.length === 0;
}
