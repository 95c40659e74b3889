import { comparisonOf } from "../../../../language/cuda/body/loops";
import { isPure } from "../../../../language/cuda/body/scope";
import { compact, operands, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** A `for` loop that goes through a range of whole numbers by steps of one, up or down. */
export interface CountingLoop {
  readonly loop: SyntaxNode;
  readonly body: SyntaxNode;
  readonly update: SyntaxNode;
  readonly variable: string;
  /** The variable's type where the loop declares it; undefined where it is there before. */
  readonly type: string | undefined;
  /** Its first value; undefined where it has that before. */
  readonly start: SyntaxNode | undefined;
  /** What it is compared with: the end upwards, the least value downwards. */
  readonly bound: SyntaxNode;
  /** Whether it takes the value of the bound as well. */
  readonly isInclusive: boolean;
  readonly isUp: boolean;
  /** What else has to hold for a turn. */
  readonly others: readonly SyntaxNode[];
}

/** A loop as one that counts; undefined for any other. */
export function countingLoop(loop: SyntaxNode): CountingLoop | undefined {
  const [condition, update, body] = ["condition", "update", "body"].map((field) =>
    loop.childForFieldName(field),
  );
  if (loop.type !== "for_statement" || !condition || !update || !body) return undefined;
  const [, first, second] = /^(?:(?:\+\+|--)(\w+)|(\w+)(?:\+\+|--|[-+]=1))$/.exec(compact(update)) ?? [];
  const variable = first ?? second;
  const head = variable === undefined ? undefined : headOf(loop, variable);
  if (variable === undefined || head === undefined) return undefined;
  const isUp = update.text.includes("+");
  const parts = operands(unwrapped(condition), "&&").map(unwrapped);
  const bounds = parts.filter((part) => comparisonOf(part, variable) !== undefined && isPure(part));
  const [ending] = bounds;
  const compared = ending && comparisonOf(ending, variable);
  if (compared === undefined || usesOf(compared.bound, variable).length > 0) return undefined;
  const { comparison, bound } = compared;
  if (!(isUp ? ["<", "<=", "!="] : [">", ">="]).includes(comparison)) return undefined;
  const others = parts.filter(({ id }) => id !== ending?.id);
  const isInclusive = /^[<>]=$/.test(comparison);
  return { loop, body, update, variable, ...head, bound, isInclusive, isUp, others };
}

/** What a loop begins with: its own variable, a value for one that is there, or nothing. */
function headOf(loop: SyntaxNode, variable: string): Pick<CountingLoop, "type" | "start"> | undefined {
  const initializer = loop.childForFieldName("initializer");
  if (initializer === null) return { type: undefined, start: undefined };
  if (initializer.type === "assignment_expression") {
    const start = initializer.childForFieldName("right");
    const isIts = compact(initializer.childForFieldName("left")) === variable;
    return isIts && start ? { type: undefined, start } : undefined;
  }
  const [declarator, ...more] = initializer.childrenForFieldName("declarator");
  const [name, start] = [declarator?.childForFieldName("declarator"), declarator?.childForFieldName("value")];
  const type = initializer.childForFieldName("type")?.text;
  if (more.length > 0 || name?.text !== variable || !start || type === undefined) return undefined;
  return { type, start };
}
