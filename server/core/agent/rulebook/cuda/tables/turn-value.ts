import { formText, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../kernel";
import { localTypes } from "../spelling/calls/objects";

/** The whole number that a value is made of: a loop's variable, or a remainder. */
export interface TurnNumber {
  readonly kind: "turn" | "remainder";
  /** As written where the value is. */
  readonly text: string;
  /** The first of these numbers, and the end behind the last, the same for a whole block. */
  readonly start: string;
  readonly end: string;
  /** True where the last number is the end itself. */
  readonly inclusive: boolean;
  readonly loop: CountedLoop;
}

/** A value that depends on one whole number and on what is the same for the whole block. */
interface TurnValue {
  readonly number: TurnNumber;
  /** The value with the number under a name of its own, and the block's locals written out. */
  readonly written: (name: string) => string;
}

interface Part {
  readonly number: TurnNumber | undefined;
  readonly written: (name: string) => string;
}

/** What an expression is made of; undefined where that is more than one number of a loop's turn. */
export function turnValue(view: KernelView, node: SyntaxNode): TurnValue | undefined {
  const found = new Reader(view, node).read(node, 0);
  return found?.number === undefined ? undefined : { number: found.number, written: found.written };
}

class Reader {
  private readonly around: readonly CountedLoop[];
  private readonly plain: ReadonlySet<string>;
  private readonly types: ReadonlyMap<string, string>;

  constructor(
    private readonly view: KernelView,
    place: SyntaxNode,
  ) {
    const { kernel, body, model } = view;
    this.around = countedLoops(body).filter((loop) => isInside(place, loop.body));
    const given = kernel.facts.parameters.filter(({ name, pointer }) => !pointer && !isAssigned(body, name));
    const named = [...given, ...kernel.facts.templateParameters].map(({ name }) => name);
    this.plain = new Set([...named, ...model.constants.keys(), "blockIdx", "blockDim", "gridDim"]);
    this.types = localTypes(view);
  }

  read(node: SyntaxNode, depth: number): Part | undefined {
    if (depth > 12 || ["subscript_expression", "pointer_expression", "update_expression"].includes(node.type))
      return undefined;
    if (node.type === "identifier") return this.name(node, depth);
    if (node.type === "binary_expression" && fieldText(node, "operator") === "%")
      return this.parts(node, depth) ?? this.remainder(node, depth);
    return this.parts(node, depth);
  }

  /** A node as its children make it. */
  private parts(node: SyntaxNode, depth: number): Part | undefined {
    if (node.namedChildren.length === 0) return { number: undefined, written: () => node.text };
    const callee = node.type === "call_expression" ? node.childForFieldName("function")?.id : undefined;
    const kept = new Set(["type_descriptor", "primitive_type", "field_identifier", "template_argument_list"]);
    const inner = node.namedChildren.map((child) => ({
      child,
      part:
        child.id === callee || kept.has(child.type)
          ? { number: undefined, written: () => child.text }
          : this.read(child, depth),
    }));
    let number: TurnNumber | undefined;
    for (const { part } of inner) {
      if (part === undefined) return undefined;
      if (part.number === undefined) continue;
      if (number !== undefined && number.text !== part.number.text) return undefined;
      number = part.number;
    }
    const written = (name: string): string => {
      let text = "";
      let at = node.startIndex;
      for (const { child, part } of inner) {
        text += this.view.source.slice(at, child.startIndex) + (part?.written(name) ?? child.text);
        at = child.endIndex;
      }
      return text + this.view.source.slice(at, node.endIndex);
    };
    return { number, written };
  }

  private name(node: SyntaxNode, depth: number): Part | undefined {
    const { text } = node;
    if (this.plain.has(text) || this.isMacro(text)) return { number: undefined, written: () => text };
    const loop = this.around.find(({ variable }) => variable === text);
    if (loop !== undefined) return this.turn(loop, depth);
    const meaning = this.view.scope.meaning(text);
    if (meaning === undefined || typeof meaning === "string")
      return typeof meaning === "string" ? { number: undefined, written: () => text } : undefined;
    const type = this.types.get(text);
    const value = type === undefined ? undefined : this.read(meaning, depth + 1);
    if (value === undefined) return undefined;
    const { number, written } = value;
    return {
      number,
      written: (name) => (type === "auto" ? `(${written(name)})` : `static_cast<${type}>(${written(name)})`),
    };
  }

  /** `CUDART_PI_F` of a header. */
  private isMacro(text: string): boolean {
    return /^[A-Z][A-Z0-9_]+$/.test(text) && !this.types.has(text) && !this.isParameter(text);
  }

  private isParameter(text: string): boolean {
    return this.view.kernel.facts.parameters.some(({ name }) => name === text);
  }

  /** The variable of a loop that counts up by one between ends that all threads share. */
  private turn(loop: CountedLoop, depth: number): Part | undefined {
    const { start, bound, step, comparison, variable, body } = loop;
    const byOne = step.operator === "+" && ["", "1"].includes(compact(step.amount));
    if (!byOne || !["<", "<="].includes(comparison) || isAssigned(body, variable)) return undefined;
    const [first, end] = [start, bound].map((node) =>
      isPure(node) ? this.read(node, depth + 1) : undefined,
    );
    if (first === undefined || end === undefined || first.number || end.number) return undefined;
    const number: TurnNumber = {
      ...{ kind: "turn", text: variable, loop, inclusive: comparison === "<=" },
      ...{ start: first.written(""), end: end.written("") },
    };
    return { number, written: (name) => name };
  }

  /** `(i * k) % n` in a loop of `n` turns. */
  private remainder(node: SyntaxNode, depth: number): Part | undefined {
    const right = node.childForFieldName("right");
    const divisor = right === null ? undefined : this.read(right, depth + 1);
    if (right === null || divisor === undefined || divisor.number !== undefined || !isPure(node))
      return undefined;
    const form = formIn(this.view, right);
    const loop = this.around.find(
      ({ bound, start, comparison }) =>
        comparison === "<" &&
        formText(formIn(this.view, start)) === "0" &&
        sameForm(formIn(this.view, bound), form),
    );
    if (loop === undefined) return undefined;
    const number: TurnNumber = {
      ...{ kind: "remainder", text: unwrapped(node).text, loop, inclusive: false },
      ...{ start: "0", end: divisor.written("") },
    };
    return { number, written: (name) => name };
  }
}

const costly =
  /^(?:std::)?(?:sin|cos|tan|sinpi|cospi|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|tanh|erf|erfc)f$/;

/** Calls of functions of many instructions that give floats. */
export function costlyCalls(body: SyntaxNode): readonly SyntaxNode[] {
  return body
    .descendantsOfType("call_expression")
    .filter((call) => costly.test(compact(call.childForFieldName("function"))));
}

/** The largest expression around a call that is made of the same number and gives a float as well. */
export function wholeValue(view: KernelView, call: SyntaxNode, number: TurnNumber): SyntaxNode {
  let node = call;
  for (let parent = node.parent; parent !== null; parent = node.parent) {
    if (!["binary_expression", "parenthesized_expression", "unary_expression"].includes(parent.type)) break;
    const compared =
      parent.type !== "parenthesized_expression" && !/^[-+*/]$/.test(fieldText(parent, "operator"));
    if (compared || hasDoubles(view, parent) || turnValue(view, parent)?.number.text !== number.text) break;
    node = parent;
  }
  return node.type === "parenthesized_expression" ? (partsOf(node)[0] ?? node) : node;
}

function hasDoubles(view: KernelView, node: SyntaxNode): boolean {
  const literals = node.descendantsOfType("number_literal");
  const types = localTypes(view);
  const names = node.descendantsOfType("identifier").map(({ text }) => text);
  const parameters = view.kernel.facts.parameters.filter(({ type }) => /\bdouble\b/.test(type));
  return (
    literals.some(({ text }) => /[.e]/i.test(text) && !/^0x|f$/i.test(text)) ||
    names.some((name) => types.get(name) === "double" || name.startsWith("M_")) ||
    parameters.some(({ name }) => usesOf(node, name).length > 0) ||
    node.descendantsOfType("primitive_type").some(({ text }) => text === "double")
  );
}
