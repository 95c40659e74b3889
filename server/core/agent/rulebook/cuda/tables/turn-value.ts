import { formText, sameForm } from "../../../../language/cuda/body/forms";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { floatsIn, kindOf } from "../arithmetic/float-values";
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

/** A value that depends on one whole number or two, and on what is the same for the whole block. */
export interface TurnValue {
  readonly numbers: readonly TurnNumber[];
  /** The value with the numbers under names of their own, and the block's locals written out. */
  readonly written: (names: Names) => string;
  /** True where elements of arrays that the kernel only reads are a part of it. */
  readonly loads?: boolean;
}

/** What stands for a number, by the number's text. */
type Names = ReadonlyMap<string, string>;

/** What an expression is made of; undefined where that is no number of a loop's turn, or more than two. */
export function turnValue(view: KernelView, node: SyntaxNode): TurnValue | undefined {
  const found = new Reader(view, node).read(node, 0);
  return found === undefined || found.numbers.length === 0 ? undefined : found;
}

/** True for values that are made of the same numbers. */
export function hasSameNumbers(one: TurnValue, other: TurnValue | undefined): boolean {
  return (
    one.numbers.length === other?.numbers.length &&
    one.numbers.every(({ text }) => other.numbers.some((each) => each.text === text))
  );
}

/** A value of a table has an entry for each number, or for each pair of two. */
const MOST_NUMBERS = 2;

class Reader {
  private readonly around: readonly CountedLoop[];
  private readonly plain: ReadonlySet<string>;
  private readonly arrays: ReadonlySet<string>;
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
    this.arrays = readArrays(view);
    this.types = localTypes(view);
  }

  read(node: SyntaxNode, depth: number): TurnValue | undefined {
    if (depth > 12 || ["pointer_expression", "update_expression"].includes(node.type)) return undefined;
    if (node.type === "subscript_expression") return this.element(node, depth);
    if (node.type === "identifier") return this.name(node, depth);
    if (node.type === "binary_expression" && fieldText(node, "operator") === "%")
      return this.parts(node, depth) ?? this.remainder(node, depth);
    return this.parts(node, depth);
  }

  /** `weights[c]` of an array that the kernel only reads. */
  private element(node: SyntaxNode, depth: number): TurnValue | undefined {
    const array = fieldText(node, "argument");
    const index = this.arrays.has(array) ? subscriptIndex(node) : undefined;
    const place = index && isPure(index) ? this.read(index, depth + 1) : undefined;
    return place && { ...place, written: (names) => `${array}[${place.written(names)}]`, loads: true };
  }

  /** A node as its children make it. */
  private parts(node: SyntaxNode, depth: number): TurnValue | undefined {
    if (node.namedChildren.length === 0) return { numbers: [], written: () => node.text };
    const callee = node.type === "call_expression" ? node.childForFieldName("function")?.id : undefined;
    const kept = new Set(["type_descriptor", "primitive_type", "field_identifier", "template_argument_list"]);
    const inner = node.namedChildren.map((child) => ({
      child,
      part:
        child.id === callee || kept.has(child.type)
          ? { numbers: [], written: () => child.text }
          : this.read(child, depth),
    }));
    const numbers = new Map<string, TurnNumber>();
    const loads = inner.some(({ part }) => part?.loads === true);
    for (const { part } of inner) {
      if (part === undefined) return undefined;
      for (const number of part.numbers) numbers.set(number.text, number);
    }
    if (numbers.size > MOST_NUMBERS) return undefined;
    const written = (names: Names): string => {
      let text = "";
      let at = node.startIndex;
      for (const { child, part } of inner) {
        text += this.view.source.slice(at, child.startIndex) + (part?.written(names) ?? child.text);
        at = child.endIndex;
      }
      return text + this.view.source.slice(at, node.endIndex);
    };
    return { numbers: [...numbers.values()], written, loads };
  }

  private name(node: SyntaxNode, depth: number): TurnValue | undefined {
    const { text } = node;
    if (this.plain.has(text) || this.isMacro(text)) return { numbers: [], written: () => text };
    const loop = this.around.find(({ variable }) => variable === text);
    if (loop !== undefined) return this.turn(loop, depth);
    const meaning = this.view.scope.meaning(text);
    if (meaning === undefined || typeof meaning === "string")
      return typeof meaning === "string" ? { numbers: [], written: () => text } : undefined;
    const type = this.types.get(text);
    const value = type === undefined ? undefined : this.read(meaning, depth + 1);
    if (value === undefined) return undefined;
    const { numbers, written, loads = false } = value;
    return {
      ...{ numbers, loads },
      written: (names) =>
        type === "auto" ? `(${written(names)})` : `static_cast<${type}>(${written(names)})`,
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
  private turn(loop: CountedLoop, depth: number): TurnValue | undefined {
    const { start, bound, step, comparison, variable, body } = loop;
    const byOne = step.operator === "+" && ["", "1"].includes(compact(step.amount));
    if (!byOne || !["<", "<="].includes(comparison) || isAssigned(body, variable)) return undefined;
    const [first, end] = [start, bound].map((node) =>
      isPure(node) ? this.read(node, depth + 1) : undefined,
    );
    if (first === undefined || end === undefined) return undefined;
    if (first.numbers.length > 0 || end.numbers.length > 0) return undefined;
    const number: TurnNumber = {
      ...{ kind: "turn", text: variable, loop, inclusive: comparison === "<=" },
      ...{ start: first.written(new Map()), end: end.written(new Map()) },
    };
    return { numbers: [number], written: (names) => names.get(number.text) ?? number.text };
  }

  /** `(i * k) % n` in a loop of `n` turns. */
  private remainder(node: SyntaxNode, depth: number): TurnValue | undefined {
    const right = node.childForFieldName("right");
    const divisor = right === null ? undefined : this.read(right, depth + 1);
    if (right === null || divisor === undefined || divisor.numbers.length > 0 || !isPure(node))
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
      ...{ start: "0", end: divisor.written(new Map()) },
    };
    return { numbers: [number], written: (names) => names.get(number.text) ?? number.text };
  }
}

/** Arrays that the kernel is handed, or that lie in constant memory, of which it only reads elements. */
function readArrays(view: KernelView): ReadonlySet<string> {
  const { kernel, model, body } = view;
  const { stored } = cudaAccesses(kernel);
  const constant = model.root
    .descendantsOfType("array_declarator")
    .filter((node) => /^[^=;[]*\b__constant__\b/.test(enclosing(node, "declaration")?.text ?? ""))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
  const given = kernel.facts.parameters.filter(({ name, pointer }) => pointer && !stored.has(name));
  const isReadOnly = (name: string): boolean =>
    !isAssigned(body, name) &&
    usesOf(body, name).every(({ parent }) => parent?.type === "subscript_expression");
  return new Set([...constant, ...given.map(({ name }) => name)].filter(isReadOnly));
}

const costly = new RegExp(
  "^(?:std::|__)?(?:sin|cos|tan|sinpi|cospi|asin|acos|atan2?|sinh|cosh|tanh|exp|exp2|exp10|expm1|log|log2|log10" +
    "|log1p|lgamma|pow|cbrt|erf|erfc)(f?)$",
);

/** Calls of functions of many instructions that give floats, by their name or by what they are given. */
export function costlyCalls(view: KernelView): readonly SyntaxNode[] {
  const floats = floatsIn(view, view.body);
  return view.body.descendantsOfType("call_expression").filter((call) => {
    const [, suffix] = costly.exec(compact(call.childForFieldName("function"))) ?? [];
    const given = partsOf(call.childForFieldName("arguments"));
    const isOfFloats = given.every((node) => kindOf(node, floats) === "float");
    return suffix === "f" || (suffix === "" && isOfFloats && !hasDoubles(view, call));
  });
}

/** The largest expression around a call that is made of the same numbers and gives a float as well. */
export function wholeValue(view: KernelView, call: SyntaxNode, value: TurnValue): SyntaxNode {
  let node = call;
  for (let parent = node.parent; parent !== null; parent = node.parent) {
    if (!["binary_expression", "parenthesized_expression", "unary_expression"].includes(parent.type)) break;
    const compared =
      parent.type !== "parenthesized_expression" && !/^[-+*/]$/.test(fieldText(parent, "operator"));
    if (compared || hasDoubles(view, parent) || !hasSameNumbers(value, turnValue(view, parent))) break;
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
