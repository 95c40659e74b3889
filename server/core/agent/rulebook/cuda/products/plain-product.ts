import { localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { SharedOperand, StagedLoop } from "../tiles/staged-loop";

/** A loop that does nothing but `sum += a * b`, whatever conversions stand around the factors. */
export interface PlainProduct {
  /** The sum with its type and start as written. */
  readonly sum: StagedLoop["states"][number];
  /** The factor whose number is the point's second one, and the other: rows and columns. */
  readonly rows: SharedOperand;
  readonly columns: SharedOperand;
}

/** Functions that convert an element to the type of the sums, and the types themselves. */
const functions = /^(?:__half2float|__bfloat162float)$/;
const wide = /^(?:const)?(?:std::)?(?:float|int|signed|signedint|int32_t)$/;
const fused = /^(?:std::|::)?(?:fmaf?|__fmaf_rn)$/;

/** The product that a loop sums up; undefined for any other loop. */
export function plainProduct(loop: StagedLoop): PlainProduct | undefined {
  const [sum, ...more] = loop.states;
  const [first, second, ...others] = loop.operands;
  const end = loop.statements.at(-1);
  if (sum === undefined || end === undefined || more.length > 0) return undefined;
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const named = loop.statements.slice(0, -1).flatMap(localValues);
  if (first.axis === second.axis || named.length !== loop.statements.length - 1) return undefined;
  const values = new Map(named.map(({ name, value }) => [name, value]));
  const factors = factorsOf(end, sum.name).map((factor) => converted(factor, { type: sum.type, values })?.id);
  const both = [first, second].every(({ node }) => factors.includes(node.id));
  if (factors.length !== 2 || !both) return undefined;
  const [rows, columns] = first.axis === 1 ? [first, second] : [second, first];
  return { sum, rows, columns };
}

/** The factors of what a statement adds to the sum; none where it does anything else. */
function factorsOf(statement: SyntaxNode, sum: string): readonly SyntaxNode[] {
  const [act, ...more] = partsOf(statement);
  const right = act?.childForFieldName("right");
  if (act?.type !== "assignment_expression" || !right || more.length > 0) return [];
  if (compact(act.childForFieldName("left")) !== sum) return [];
  const operator = fieldText(act, "operator");
  if (operator === "+=") return operands(right, "*");
  return operator === "=" ? addedFactors(unwrapped(right), sum) : [];
}

/** The factors in `sum + a * b` and `fmaf(a, b, sum)`. */
function addedFactors(value: SyntaxNode, sum: string): readonly SyntaxNode[] {
  if (value.type === "call_expression") {
    const [first, second, added] = partsOf(value.childForFieldName("arguments"));
    const isFused = fused.test(fieldText(value, "function")) && compact(added) === sum;
    return isFused && first && second ? [first, second] : [];
  }
  const terms = operands(value, "+");
  const [term, ...others] = terms.filter((each) => compact(each) !== sum);
  return term !== undefined && others.length === 0 && terms.length === 2 ? operands(term, "*") : [];
}

interface Converting {
  /** Type of the sum as written. */
  readonly type: string;
  readonly values: ReadonlyMap<string, SyntaxNode>;
}

/** What stands under conversions to the sum's type, through locals of the loop. */
function converted(factor: SyntaxNode, { type, values }: Converting): SyntaxNode | undefined {
  let inner = unwrapped(factor);
  for (let step = 0; step < 8; step += 1) {
    const named = inner.type === "identifier" ? values.get(inner.text) : undefined;
    const next = named ?? castValue(inner, type);
    if (next === undefined) return inner;
    inner = unwrapped(next);
  }
  return undefined;
}

/** What a cast to the type of the sum, or to one that holds all of its values, stands around. */
function castValue(node: SyntaxNode, sum: string): SyntaxNode | undefined {
  const isWide = (type: string): boolean => wide.test(type) || type === compactText(sum);
  if (node.type === "cast_expression")
    return isWide(compact(node.childForFieldName("type")))
      ? (node.childForFieldName("value") ?? undefined)
      : undefined;
  if (node.type !== "call_expression") return undefined;
  const callee = compact(node.childForFieldName("function"));
  const [argument, ...more] = partsOf(node.childForFieldName("arguments"));
  const type = /^static_cast<(.*)>$/.exec(callee)?.[1] ?? callee;
  return more.length === 0 && (functions.test(callee) || isWide(type)) ? argument : undefined;
}

function compactText(text: string): string {
  return text.replace(/\s+/g, "");
}
