import { statementsOf } from "../../../../language/cuda/body/loops";
import { compact, fieldText, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/**
 * A running maximum and the sum of exponentials below it: `n = max(m, x); d = d * exp(m - n) + exp(x - n);
 * m = n;`.
 */
export interface OnlineSum {
  readonly maximum: string;
  readonly total: string;
  /** The function of the exponentials, as written. */
  readonly exponential: string;
  /** The statements that make it: nothing else may name the two. */
  readonly statements: readonly SyntaxNode[];
}

const maximum = /^(?:std::|::)?f?maxf?$/;
const exponential = /^(?:std::|::)?(?:__expf|expf?|exp2f?)$/;

/** The running maximum and sum of a loop's body, in one of two spellings. */
export function onlineSum(body: SyntaxNode): OnlineSum | undefined {
  const statements = statementsOf(body);
  for (const statement of statements) {
    const raised = raisedMaximum(statement);
    const found = raised && sumUnder(statements, statement, raised);
    if (found) return found;
  }
  return undefined;
}

interface Raised {
  /** The greatest value so far, and with the new one. */
  readonly before: string;
  readonly after: string;
  readonly value: string;
}

/** `float n = fmaxf(m, x);`. */
function raisedMaximum(statement: SyntaxNode): Raised | undefined {
  const [declarator, ...others] = statement.childrenForFieldName("declarator");
  const call = declarator?.childForFieldName("value");
  const after = fieldText(declarator, "declarator");
  if (others.length > 0 || call?.type !== "call_expression" || !maximum.test(fieldText(call, "function")))
    return undefined;
  const [first, second] = partsOf(call.childForFieldName("arguments")).map(unwrapped);
  if (first?.type !== "identifier" || second === undefined) return undefined;
  return { before: first.text, after, value: compact(second) };
}

/** The two statements that go with it; either order of the factors and of the terms. */
function sumUnder(
  statements: readonly SyntaxNode[],
  declared: SyntaxNode,
  { before, after, value }: Raised,
): OnlineSum | undefined {
  const acts = statements.map((statement) => ({ statement, act: statement.namedChildren[0] }));
  const raise = acts.find(({ act }) => assigned(act, before) === after);
  const sum = acts.find(
    ({ act }) => act?.type === "assignment_expression" && usesOf(act, after).length === 2,
  );
  const total = fieldText(sum?.act, "left");
  const text = assigned(sum?.act, total) ?? "";
  if (raise === undefined || sum === undefined || sum.statement.startIndex > raise.statement.startIndex)
    return undefined;
  const call =
    sum.act?.descendantsOfType("call_expression").map((node) => fieldText(node, "function"))[0] ?? "";
  const [old, added] = [`${call}(${before}-${after})`, `${call}(${value}-${after})`];
  const scaled = [`${total}*${old}`, `${old}*${total}`];
  const forms = scaled.flatMap((product) => [
    `${product}+${added}`,
    `${added}+${product}`,
    `fmaf(${total},${old},${added})`,
  ]);
  return exponential.test(call) && forms.includes(text)
    ? { maximum: before, total, exponential: call, statements: [declared, sum.statement, raise.statement] }
    : undefined;
}

/** The text that is assigned to a name, without blanks. */
function assigned(act: SyntaxNode | undefined, name: string): string | undefined {
  const plain = act?.type === "assignment_expression" && fieldText(act, "operator") === "=";
  return plain && fieldText(act, "left") === name ? compact(act.childForFieldName("right")) : undefined;
}
