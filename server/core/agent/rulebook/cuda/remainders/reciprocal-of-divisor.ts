import { changes, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, lineOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOnHidden } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { beforeKernel } from "./before-kernel";
import { divisionLines, type Division as Kind, reciprocalText } from "./reciprocal-text";
import { commonType } from "./whole-types";

const loops = ["for_statement", "while_statement", "do_statement"];

/** `x % n` or `x / n` in a loop that leaves n as it is. */
interface Division extends Kind {
  readonly node: SyntaxNode;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
  /** The outermost loop in which the divisor is the same. */
  readonly loop: SyntaxNode;
}

/**
 * Divides whole numbers in a loop by a product with the divisor's reciprocal, which is taken once in front of
 * the loop. The quotient is at most one too small, which a comparison mends: results are the same for all
 * numbers.
 */
export const reciprocalOfDivisor = defineRule("cuda-reciprocal-of-divisor", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = view.body
    .descendantsOfType(["binary_expression", "assignment_expression"])
    .flatMap((node) => divisionIn(view, node) ?? []);
  const [first] = found;
  if (first === undefined)
    return not("no-pattern", "no loop divides whole numbers by one that it leaves as it is", view.line);
  const lines = new Map(found.map(({ node }) => [lineOf(node), node]));
  const value = [...lines.values()].reduce((sum, node) => sum + countsOf(input, node).instructions, 0);
  const blanks = { divisor: compact(first.right) };
  const facts = { file: input.file, line: lineOf(first.node), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, found)),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.round(value / 2) }, blanks),
    gain: gainOnHidden(input, threshold(entry, "share"), new Set(lines.keys())),
  };
});

function divisionIn(view: KernelView, node: SyntaxNode): Division | undefined {
  const operator = /^([/%])=?$/.exec(fieldText(node, "operator"))?.[1];
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (operator === undefined || left === null || right === null) return undefined;
  if (node.type === "assignment_expression" && left.type !== "identifier") return undefined;
  const divisor = unwrapped(right);
  if (!/^[A-Za-z_]\w*(?:\.\w+)*$/.test(compact(divisor)) || view.scope.value(divisor) !== undefined)
    return undefined;
  const type = commonType(view, [left, right]);
  const loop = type && loopAround(view, node, divisor);
  return type === undefined || loop === undefined
    ? undefined
    : { node, left, right: divisor, loop, type, takes: operator === "%" ? "remainder" : "quotient" };
}

/** The outermost loop around a division that leaves its divisor as it is, and stands among statements. */
function loopAround({ body }: KernelView, node: SyntaxNode, divisor: SyntaxNode): SyntaxNode | undefined {
  const [name = ""] = compact(divisor).split(".");
  const declared = [...localValues(body), ...unvalued(body)].filter((each) => each.name === name);
  const isChanged =
    changes(body).some(({ target }) => (/^\w+/.exec(compact(target)) ?? [])[0] === name) ||
    usesOf(body, name).some(({ parent }) => parent?.type === "pointer_expression");
  if (isChanged || declared.length > 1) return undefined;
  let found: SyntaxNode | undefined;
  for (let up = node.parent; up !== null && up.id !== body.id; up = up.parent) {
    const [place] = declared;
    if (place !== undefined && isInside(place.declaration, up)) break;
    if (/^(?:lambda_expression|case_statement)$/.test(up.type)) return undefined;
    if (loops.includes(up.type) && up.parent?.type === "compound_statement") found = up;
  }
  return found;
}

/** Declarations without a value. */
function unvalued(body: SyntaxNode): readonly { readonly name: string; readonly declaration: SyntaxNode }[] {
  return body.descendantsOfType("declaration").flatMap((declaration) =>
    declaration
      .childrenForFieldName("declarator")
      .filter(({ type }) => type === "identifier")
      .map(({ text: name }) => ({ name, declaration })),
  );
}

function edits(view: KernelView, found: readonly Division[]): readonly TextEdit[] {
  let taken = view.source;
  const named = (wish: string): string => {
    const name = freshName(taken, wish);
    taken += ` ${name} `;
    return name;
  };
  const functions = new Map<string, readonly [name: string, kind: Kind]>();
  const reciprocals = new Map<string, { readonly name: string; readonly of: Division }>();
  const replaced = found.flatMap((each) => {
    const kind = `${each.takes} ${each.type}`;
    const [name] = functions.get(kind) ?? [named(each.takes === "remainder" ? "restOf" : "quotientOf")];
    functions.set(kind, [name, each]);
    const key = `${each.loop.id} ${compact(each.right)} ${each.type}`;
    const reciprocal = reciprocals.get(key)?.name ?? named(`${compact(each.right)} reciprocal`);
    reciprocals.set(key, { name: reciprocal, of: each });
    return calledInstead(each, name, reciprocal);
  });
  const taking = [...reciprocals.values()].map(({ name, of }) =>
    insertBefore(
      of.loop,
      `${reciprocalText(of.type, compact(of.right), name)}\n${indentOf(view.source, of.loop)}`,
    ),
  );
  const helpers = [...functions.values()].map(([name, kind]) => divisionLines(kind, name));
  return [beforeKernel(view, helpers), ...taking, ...replaced];
}

/** Only what stands around the dividend is edited: it may have divisions of its own. */
function calledInstead(
  { node, left, right }: Division,
  name: string,
  reciprocal: string,
): readonly TextEdit[] {
  if (node.type === "assignment_expression")
    return [replaceNode(node, `${left.text} = ${name}(${left.text}, ${compact(right)}, ${reciprocal})`)];
  return [
    { start: left.startIndex, end: left.startIndex, text: `${name}(` },
    { start: left.endIndex, end: node.endIndex, text: `, ${compact(right)}, ${reciprocal})` },
  ];
}
