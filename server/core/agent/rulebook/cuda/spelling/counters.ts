import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import {
  changes,
  isAssigned,
  isPure,
  type LocalValue,
  localValues,
} from "../../../../language/cuda/body/scope";
import {
  collapse,
  compact,
  enclosing,
  fieldText,
  isInside,
  partsOf,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { type Spelling, staysSame, taken } from "./spelling";

/** `for (…; …; ++k, ++p) …` as `for (…; …; ++k) { … ++p; }`. */
export const commaApart: Spelling = ({ body }) => {
  for (const loop of body.descendantsOfType("for_statement")) {
    const update = loop.childForFieldName("update");
    const inner = loop.childForFieldName("body");
    if (update?.type !== "comma_expression" || inner === null || goesOn(loop)) continue;
    const compared = new Set(
      loop
        .childForFieldName("condition")
        ?.descendantsOfType("identifier")
        .map(({ text }) => text),
    );
    const steps = commaParts(update);
    const own = steps.filter((step) => compared.has(targetOf(step)?.text ?? ""));
    const [first] = own;
    if (first === undefined || own.length > 1) continue;
    const others = steps.filter(({ id }) => id !== first.id).map(({ text }) => ` ${collapse(text)};`);
    const braces = inner.type === "compound_statement";
    const end = braces ? inner.endIndex - 1 : inner.endIndex;
    return [
      replaceNode(update, collapse(first.text)),
      ...(braces ? [] : [{ start: inner.startIndex, end: inner.startIndex, text: "{ " }]),
      { start: end, end, text: `${others.join("")}${braces ? " " : " }"}` },
    ];
  }
  return undefined;
};

/** `for (int k = 0, p = 5; …)` as `int p = 5; for (int k = 0; …)`, where the names mean nothing else. */
export const headApart: Spelling = ({ body, source }) => {
  for (const loop of body.descendantsOfType("for_statement")) {
    const head = loop.childForFieldName("initializer");
    const all = head?.type === "declaration" ? head.childrenForFieldName("declarator") : [];
    const condition = loop.childForFieldName("condition");
    const [first] = all;
    if (!head || !condition || first === undefined || all.length < 2) continue;
    if (loop.parent?.type !== "compound_statement") continue;
    const own = all.filter((node) => usesOf(condition, fieldText(node, "declarator")).length > 0);
    const [counter] = own;
    const others = all.filter(({ id }) => id !== counter?.id);
    const plain = all.every(({ type }) => type === "init_declarator");
    if (counter === undefined || own.length > 1 || !plain) continue;
    const names = others.map((node) => node.descendantsOfType("identifier")[0]?.text ?? "");
    const elsewhere = names.some((name) => usesOf(body, name).some((use) => !isInside(use, loop)));
    const crossed = others.some((node) => usesOf(node, fieldText(counter, "declarator")).length > 0);
    if (elsewhere || crossed) continue;
    const type = collapse(source.slice(head.startIndex, first.startIndex));
    const before = others.map((node) => `${type} ${collapse(node.text)}; `).join("");
    return [
      { start: loop.startIndex, end: loop.startIndex, text: before },
      replaceNode(head, `${type} ${collapse(counter.text)};`),
    ];
  }
  return undefined;
};

/**
 * `int at = 0; for (int k = 0; k < n; ++k) { … x[at] …; at++; }` as `… x[(0 + k)] …`: what is stepped once in
 * every turn follows from the turn's number.
 */
export const countedBeside: Spelling = ({ body }) => {
  for (const loop of countedLoops(body)) {
    if (loop.step.operator !== "+" || goesOn(loop.loop) || isAssigned(loop.body, loop.variable)) continue;
    for (const local of localValues(body)) {
      const edits = besideLoop(body, loop, local);
      if (edits !== undefined) return edits;
    }
  }
  return undefined;
};

function besideLoop(body: SyntaxNode, loop: CountedLoop, local: LocalValue): readonly TextEdit[] | undefined {
  const { name, value, declaration } = local;
  if (!standsBeside(loop, local) || !isSteady(body, value)) return undefined;
  const uses = usesOf(body, name).filter((use) => !isInside(use, declaration));
  if (uses.length === 0 || !uses.every((use) => isInside(use, loop.body))) return undefined;
  const steps = statementsOf(loop.body).filter((node) => stepsName(node, name));
  const changed = changes(body).filter(({ target }) => target.text === name);
  const turn = changed.length === steps.length ? turnsOf(loop, steps) : undefined;
  if (turn === undefined) return undefined;
  const start = /^\w+$/.test(compact(value)) ? compact(value) : `(${collapse(value.text)})`;
  const type = collapse(fieldText(declaration, "type"));
  const number = `${wide.test(type) ? `(${type})` : ""}${turn.number}`;
  const before = start === "0" ? number : `${start} + ${number}`;
  const free = uses.filter((use) => !steps.some((step) => isInside(use, step)));
  return [
    taken(declaration),
    ...steps.map(taken),
    ...free.map((use) => {
      const done = steps.filter((step) => step.endIndex <= use.startIndex).length;
      return replaceNode(use, `(${before}${` + ${turn.step}`.repeat(done)})`);
    }),
  ];
}

/** True for a whole number that is declared by itself in front of the loop, in the same block. */
function standsBeside({ loop, variable }: CountedLoop, { name, declaration }: LocalValue): boolean {
  const type = collapse(fieldText(declaration, "type"));
  const alone = declaration.childrenForFieldName("declarator").length === 1;
  const { parent } = declaration;
  const same = parent?.type === "compound_statement" && parent.id === loop.parent?.id;
  return (
    integers.test(type) && alone && same && declaration.startIndex < loop.startIndex && name !== variable
  );
}

const integers = /^(?:const )?(?:unsigned|int|long|long long|unsigned int|size_t|u?int(?:32|64)_t)$/;
const wide = /long|64|size_t/;

/** True for `name++;`, `++name;` and `name += steady;`. */
function stepsName(statement: SyntaxNode, name: string): boolean {
  const act = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
  if (act === undefined || targetOf(act)?.text !== name) return false;
  if (act.type === "update_expression") return act.text.includes("++");
  const right = act.childForFieldName("right");
  return act.type === "assignment_expression" && fieldText(act, "operator") === "+=" && right !== null;
}

interface Turns {
  /** What all steps of the turns before come to. */
  readonly number: string;
  /** What one step comes to. */
  readonly step: string;
}

/** How far a variable has come at the start of a turn, with such steps in each. */
function turnsOf(loop: CountedLoop, steps: readonly SyntaxNode[]): Turns | undefined {
  const amounts = steps.map(({ namedChildren: [act] }) => act?.childForFieldName("right") ?? undefined);
  const [amount] = amounts;
  const texts = new Set(amounts.map((each) => (each === undefined ? "1" : compact(each))));
  const steady = amounts.every(
    (each) => each === undefined || (isSteady(loop.body, each) && !isDeclaredIn(loop.body, each)),
  );
  if (steps.length === 0 || texts.size !== 1 || !steady || !isSteady(loop.body, loop.start)) return undefined;
  const step = amount === undefined ? "1" : `(${collapse(amount.text)})`;
  const from =
    compact(loop.start) === "0" ? loop.variable : `(${loop.variable} - (${collapse(loop.start.text)}))`;
  const own = loop.step.amount === undefined ? "1" : compact(loop.step.amount);
  if (steps.length === 1 && texts.has(own)) return { number: from, step };
  if (own !== "1") return undefined;
  const times = [...(steps.length === 1 ? [] : [String(steps.length)]), ...(step === "1" ? [] : [step])];
  return { number: [from, ...times].join(" * "), step };
}

/** An expression that nothing in a range changes, and that loads nothing. */
function isSteady(range: SyntaxNode, value: SyntaxNode): boolean {
  const loads = value.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
  return !loads && isPure(value) && staysSame(value, range, () => false);
}

/** True where a name of the expression is declared in a range: it may be another value in each turn. */
function isDeclaredIn(range: SyntaxNode, value: SyntaxNode): boolean {
  const names = new Set(value.descendantsOfType("identifier").map(({ text }) => text));
  return range
    .descendantsOfType("declaration")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .some((node) => names.has(node.descendantsOfType("identifier")[0]?.text ?? ""));
}

function commaParts(node: SyntaxNode): readonly SyntaxNode[] {
  return node.type === "comma_expression" ? partsOf(node).flatMap(commaParts) : [node];
}

function targetOf(step: SyntaxNode): SyntaxNode | undefined {
  return step.childForFieldName("left") ?? step.childForFieldName("argument") ?? undefined;
}

/** A `continue` of this very loop passes over what stands at its end. */
function goesOn(loop: SyntaxNode): boolean {
  return loop
    .descendantsOfType("continue_statement")
    .some((node) => enclosing(node, "for_statement", "while_statement", "do_statement")?.id === loop.id);
}
