import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  partsOf,
  unwrapped,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { floatsIn, kindOf } from "./float-values";

/** A power in a loop whose exponent grows by the same amount in each turn. */
interface Series {
  readonly loop: CountedLoop;
  readonly call: SyntaxNode;
  readonly type: "float" | "double";
  /** Undefined where the function has a base of its own. */
  readonly base: SyntaxNode | undefined;
  readonly exponent: SyntaxNode;
}

/**
 * Carries a power from one turn of a loop to the next: a product with what the exponent grows by. Rounding
 * errors add up with the turns; the check tells where that is too much.
 */
export const carryPower = defineRule("cuda-carry-power", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const loops = countedLoops(view.body);
  const read = view.body
    .descendantsOfType("call_expression")
    .flatMap((call) => seriesAt(view, loops, call) ?? []);
  const all = read.flatMap((each) => (isNot(each) ? [] : [each]));
  const outermost = all.filter(({ call }) => !all.some((other) => isWithin(call, other.call)));
  const [first] = [...outermost].sort((a, b) => instructionsAt(b) - instructionsAt(a));
  if (first === undefined)
    return read.find(isNot) ?? not("no-pattern", "no loop takes a power that grows with it", view.line);
  const instructions = instructionsAt(first);
  if (instructions === 0) return not("no-evidence", "the power was not reached", first.call);
  const ideal = Math.round(instructions * threshold(entry, "share"));
  const power = compact(first.call);
  const facts = { file: input.file, line: lineOf(first.call), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, carried(view, outermost)),
    hypothesis: fillSentence(entry.hypothesis, { power }),
    evidence: evidenceFor(entry, { ...facts, value: instructions, ideal }, { power }),
    gain: gainOn(
      input,
      ["issue", "fp32", "special", "integer"],
      shareSaved(instructions - ideal, input.counters.totals.instructions),
    ),
  };

  function instructionsAt({ call }: Series): number {
    const statement = enclosing(call, "expression_statement", "declaration", "return_statement") ?? call;
    return countsOf(input, statement).instructions;
  }
});

const powers = /^(?:(?:std)?::)?(?:powf?|__powf)$/;
const exponentials = /^(?:(?:std)?::)?(?:(?:exp|exp2|exp10)f?|__expf|__exp10f)$/;

function isWithin(inner: SyntaxNode, outer: SyntaxNode): boolean {
  return inner.id !== outer.id && isInside(inner, outer);
}

function seriesAt(
  view: KernelView,
  loops: readonly CountedLoop[],
  call: SyntaxNode,
): Series | RuleHold | undefined {
  const name = compact(call.childForFieldName("function"));
  const given = partsOf(call.childForFieldName("arguments"));
  const [base, exponent] = powers.test(name) ? given : [undefined, given[0]];
  const known = powers.test(name) || exponentials.test(name);
  if (!known || exponent === undefined || given.length !== (base === undefined ? 1 : 2)) return undefined;
  const loop = loops.filter(({ body }) => isInside(call, body)).findLast((each) => reads(exponent, each));
  if (loop === undefined) return undefined;
  const isSingle = /f$/.test(name) || kindOf(base ?? exponent, floatsIn(view, view.body)) === "float";
  const series = { loop, call, type: isSingle ? "float" : "double", base, exponent } as const;
  return heldBack(view, series) ?? series;
}

/** True where an expression speaks of the loop's variable, by itself or by what the body makes of it. */
function reads(node: SyntaxNode, { variable, body }: CountedLoop): boolean {
  const names = namesIn(node);
  const locals = localValues(body).filter(({ name }) => names.includes(name));
  return names.includes(variable) || locals.some(({ value }) => namesIn(value).includes(variable));
}

function namesIn(node: SyntaxNode): readonly string[] {
  return node.descendantsOfType("identifier").map(({ text }) => text);
}

function heldBack(view: KernelView, series: Series): RuleHold | undefined {
  const { loop, base, exponent, call } = series;
  const { step, start } = loop;
  if (!/^[-+]$/.test(step.operator)) return not("no-rewrite", `${loop.variable} does not count`, loop.update);
  const parts = [...(base === undefined ? [] : [base]), start, ...(step.amount ? [step.amount] : [])];
  const moving = parts.find((part) => !isSteady(part, loop));
  if (moving !== undefined) return not("dependence", `${compact(moving)} changes in the loop`, moving);
  if (changedIn(loop).has(loop.variable))
    return not("dependence", `${loop.variable} is changed in the loop`, loop.loop);
  return growthOf(view, exponent, loop) === "grows"
    ? undefined
    : not("no-rewrite", `${compact(exponent)} does not grow evenly with ${loop.variable}`, call);
}

/** Names that are declared or changed in the body of a loop. */
function changedIn({ body }: CountedLoop): ReadonlySet<string> {
  return new Set([
    ...localValues(body).map(({ name }) => name),
    ...changes(body).map(({ target }) => target.text),
  ]);
}

/** True where each turn of the loop finds the same value. */
function isSteady(node: SyntaxNode, loop: CountedLoop): boolean {
  const changed = changedIn(loop);
  const memory = node.descendantsOfType(["subscript_expression", "pointer_expression", "field_expression"]);
  const isMade = memory.length > 0 && changes(loop.body).some(({ target }) => target.type !== "identifier");
  const own = namesIn(node).some((name) => changed.has(name) || name === loop.variable);
  return isPure(node) && !own && !isMade;
}

type Growth = "steady" | "grows" | "unknown";

/** How an exponent changes from turn to turn: by the same amount, not at all, or nobody knows. */
function growthOf(view: KernelView, node: SyntaxNode, loop: CountedLoop): Growth {
  const inner = unwrapped(node);
  if (isSteady(inner, loop)) return "steady";
  const of = (part: SyntaxNode | null | undefined): Growth => (part ? growthOf(view, part, loop) : "unknown");
  if (inner.type === "binary_expression") return growthOfBoth(view, inner, of);
  const cast = castOf(inner);
  if (cast !== undefined)
    return cast.isFloat || cast.value.text === loop.variable ? of(cast.value) : "unknown";
  if (inner.type === "identifier" && inner.text === loop.variable) return "grows";
  if (inner.type === "identifier") return of(localNamed(loop, inner.text));
  const signed = inner.type === "unary_expression" && /^[-+]/.test(inner.text);
  return signed ? of(inner.childForFieldName("argument")) : "unknown";
}

function growthOfBoth(view: KernelView, node: SyntaxNode, of: (part: SyntaxNode | null) => Growth): Growth {
  const [left, right] = [of(node.childForFieldName("left")), of(node.childForFieldName("right"))];
  const operator = fieldText(node, "operator");
  if (left === "unknown" || right === "unknown") return "unknown";
  if (/^[-+]$/.test(operator)) return "grows";
  if (operator === "*") return left === "grows" && right === "grows" ? "unknown" : "grows";
  return operator === "/" && right === "steady" && isFloating(view, node) ? "grows" : "unknown";
}

/** True for a value that is no whole number, by one of its operands. */
function isFloating(view: KernelView, node: SyntaxNode): boolean {
  const inner = unwrapped(node);
  const of = (field: string): boolean => {
    const part = inner.childForFieldName(field);
    return part !== null && isFloating(view, part);
  };
  if (inner.type === "binary_expression") return of("left") || of("right");
  if (inner.type === "unary_expression") return of("argument");
  if (inner.type === "number_literal") return /[.]|[eE][-+]?\d/.test(inner.text);
  return castOf(inner)?.isFloat === true || kindOf(inner, floatsIn(view, view.body)) === "float";
}

interface Cast {
  readonly value: SyntaxNode;
  readonly isFloat: boolean;
}

/** `(float)k`, `float(k)`, `static_cast<float>(k)` and the same to whole numbers. */
function castOf(node: SyntaxNode): Cast | undefined {
  const callee = compact(node.childForFieldName("function"));
  const type = node.type === "cast_expression" ? fieldText(node, "type") : callee;
  const plain = type.replace(/^static_cast<(.*)>$/, "$1");
  const isFloat = /^(?:float|double|__int2float_r[nzud]|__uint2float_r[nzud])$/.test(plain);
  if (!isFloat && !/^(?:int|unsigned|long|short|size_t|u?int(?:32|64)_t)$/.test(plain)) return undefined;
  const value = node.childForFieldName("value") ?? partsOf(node.childForFieldName("arguments"))[0];
  return value ? { value, isFloat } : undefined;
}

/** What the body of a loop makes of its variable, once in each turn. */
function localNamed({ body }: CountedLoop, name: string): SyntaxNode | undefined {
  const [local, ...others] = localValues(body).filter((each) => each.name === name);
  if (local === undefined || others.length > 0) return undefined;
  const changed = changes(body).some(({ target }) => target.text === name);
  const type = fieldText(local.declaration, "type");
  return changed || !/^(?:float|double|auto)$/.test(type) ? undefined : local.value;
}

function carried(view: KernelView, all: readonly Series[]): readonly TextEdit[] {
  const key = ({ loop, call }: Series): string => `${loop.loop.id} ${compact(call)}`;
  let taken = view.source;
  const named = [...new Map(all.map((each) => [key(each), each])).values()].map((series) => {
    const name = freshName(taken, `${series.loop.variable}Power`);
    const factor = freshName(taken, `${series.loop.variable}Factor`);
    taken += ` ${name} ${factor}`;
    return { ...series, name, factor, calls: all.filter((each) => key(each) === key(series)) };
  });
  const loops = [...new Map(named.map(({ loop }) => [loop.loop.id, loop])).values()];
  return [
    ...named.flatMap(({ calls, name }) => calls.map(({ call }) => replaceNode(call, name))),
    ...loops.flatMap((loop) =>
      aroundLoop(
        view,
        loop,
        named.filter((each) => each.loop.loop.id === loop.loop.id),
      ),
    ),
  ];
}

type Named = Series & { readonly name: string; readonly factor: string };

function aroundLoop(
  view: KernelView,
  { loop, update }: CountedLoop,
  named: readonly Named[],
): readonly TextEdit[] {
  const indent = indentOf(view.source, loop);
  const braces = loop.parent?.type !== "compound_statement";
  const lines = named.map((each) => {
    const factor = `${each.factor} = ${ratioOf(view, each)}`;
    return `${each.type} ${each.name} = ${firstOf(view, each)}, ${factor};`;
  });
  const pragma = /^#\s*pragma/.test(loop.previousNamedSibling?.text ?? "") ? loop.previousNamedSibling : null;
  const start = pragma ? view.source.lastIndexOf("\n", pragma.startIndex) + 1 : loop.startIndex;
  const head = lines.map((line) => (pragma ? `${indent}${line}\n` : `${line}\n${indent}`)).join("");
  return [
    { start, end: start, text: `${braces ? "{ " : ""}${head}` },
    ...named.map(({ name, factor }) => ({
      ...{ start: update.endIndex, end: update.endIndex },
      text: `, ${name} *= ${factor}`,
    })),
    ...(braces ? [{ start: loop.endIndex, end: loop.endIndex, text: " }" }] : []),
  ];
}

/** The power of the first turn. */
function firstOf(view: KernelView, series: Series): string {
  const { loop, exponent } = series;
  const value = isVariable(exponent, loop) ? view.scope.value(loop.start) : undefined;
  if (value === 0) return series.type === "float" ? "1.0f" : "1.0";
  if (value === 1 && series.base !== undefined) return series.base.text;
  return callText(series, exponentAt(view, series, grouped(loop.start)));
}

/** What a power is multiplied by from one turn to the next. */
function ratioOf(view: KernelView, series: Series): string {
  const { loop, exponent, base } = series;
  const { operator, amount } = loop.step;
  const single = amount === undefined || amount.text === "1";
  if (base !== undefined && operator === "+" && single && isVariable(exponent, loop)) return base.text;
  const start = grouped(loop.start);
  const next = `(${start} ${operator} ${amount === undefined ? "1" : grouped(amount)})`;
  return callText(series, `${exponentAt(view, series, next)} - ${exponentAt(view, series, start)}`);
}

/** True for the variable itself, also behind casts. */
function isVariable(exponent: SyntaxNode, { variable }: CountedLoop): boolean {
  const inner = unwrapped(exponent);
  const cast = castOf(inner);
  return cast === undefined ? inner.text === variable : unwrapped(cast.value).text === variable;
}

function callText({ call, base }: Series, exponent: string): string {
  const name = fieldText(call, "function");
  return base === undefined ? `${name}(${exponent})` : `${name}(${base.text}, ${exponent})`;
}

/** The exponent with a value in place of the loop's variable. */
function exponentAt(view: KernelView, { loop, exponent, type }: Series, value: string): string {
  const text = (node: SyntaxNode): string => {
    const edits = node.descendantsOfType("identifier").flatMap((name) => {
      if (name.text === loop.variable) return [replaceNode(name, value)];
      const local = localNamed(loop, name.text);
      return local === undefined ? [] : [replaceNode(name, `(${text(local)})`)];
    });
    return editedText(view.source, { start: node.startIndex, end: node.endIndex }, edits);
  };
  return `(${type})(${text(exponent).replace(/\s*\n\s*/g, " ")})`;
}

function grouped(node: SyntaxNode): string {
  return /^\w+$/.test(node.text) ? node.text : `(${node.text})`;
}
