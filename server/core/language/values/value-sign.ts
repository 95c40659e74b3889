import { compact, fieldText, unwrapped } from "../query";
import type { SyntaxNode } from "../tree";
import calls from "./value-calls.json";
import { pointerOf, type ValueScope, valueScope } from "./value-scope";

/** What has to be above zero for a value to be: elements of these pointers. */
interface ValueSign {
  readonly needs: ReadonlySet<string>;
  /** Those of them that must not be above one either. */
  readonly below: ReadonlySet<string>;
  /** Several of them are added. */
  readonly isSum: boolean;
}

/** A value that is never below zero, whatever the elements are. */
const positive: ValueSign = { needs: new Set(), below: new Set(), isSum: false };

/** Calls that lead into functions of the file are followed so far. */
const mostDepth = 3;

/** Functions of the file, by their names. */
export type KnownFunctions = ReadonlyMap<string, SyntaxNode>;

type Inner = (node: SyntaxNode | null | undefined) => ValueSign | undefined;

/** Numbers, and what is 0 or 1. */
const plainTypes = /^(?:number_literal|integer|float|comparison_operator)$/;
/** What may be an element, or else is as its first part. */
const elementTypes =
  /^(?:parenthesized|subscript|field|pointer)_expression$|^(?:subscript|attribute|parenthesized_expression)$/;
const changeTypes = /^(?:assignment_expression|augmented_assignment)$/;

/** Reads which elements a value's sign depends on. */
export class SignReading {
  constructor(private readonly functions: KnownFunctions) {}

  /**
   * Undefined where the sign follows from no elements alone: of differences, and of what is not known.
   * `open`: names that are being read, each with its function.
   */
  signOf(node: SyntaxNode, scope: ValueScope, open: ReadonlySet<string> = new Set()): ValueSign | undefined {
    const inner: Inner = (each) => (each ? this.signOf(each, scope, open) : undefined);
    if (plainTypes.test(node.type)) return positive;
    if (elementTypes.test(node.type)) return this.elementOf(node, scope) ?? inner(node.namedChildren[0]);
    if (changeTypes.test(node.type))
      return changed(fieldText(node, "operator"), inner(node.childForFieldName("right")));
    switch (node.type) {
      case "cast_expression":
        return inner(node.childForFieldName("value"));
      case "identifier":
        return this.ofName(node.text, scope, open);
      case "conditional_expression":
        return union(this.branchesOf(node).map(inner));
      case "binary_expression":
      case "binary_operator":
        return this.ofOperation(node, inner);
      case "call_expression":
      case "call":
        return this.ofCall(node, scope, open);
      default:
        return undefined;
    }
  }

  /** The scope of a function of the file as one call enters it. */
  enter(call: SyntaxNode, scope: ValueScope): ValueScope | undefined {
    const definition = this.functions.get(calleeOf(call));
    const body = definition?.childForFieldName("body");
    if (definition === undefined || !body || scope.depth >= mostDepth) return undefined;
    const given = argumentsOf(call);
    const names = parameterNames(definition);
    const bound = new Map(
      names.flatMap((name, index) => {
        const node = given[index];
        return node === undefined ? [] : [[name, { node, scope }] as const];
      }),
    );
    return valueScope(body, { bound, depth: scope.depth + 1 });
  }

  private elementOf(node: SyntaxNode, scope: ValueScope): ValueSign | undefined {
    const isElement = /^(?:subscript|pointer)/.test(node.type) && !node.text.startsWith("&");
    const pointer = isElement && node.namedChildren[0] ? pointerOf(node.namedChildren[0], scope) : undefined;
    return pointer === undefined ? undefined : { ...positive, needs: new Set([pointer]) };
  }

  private ofName(name: string, scope: ValueScope, open: ReadonlySet<string>): ValueSign | undefined {
    const key = `${scope.body.id} ${name}`;
    if (open.has(key)) return { ...positive, isSum: true };
    if (scope.pointers.has(name)) return undefined;
    const within = new Set([...open, key]);
    const bound = scope.bound.get(name);
    if (bound !== undefined) return this.signOf(bound.node, bound.scope, within);
    const given = scope.assigned.get(name);
    // Numbers of a kernel are made up above zero.
    if (given === undefined) return positive;
    return union(given.map((each) => this.signOf(each, scope, within)));
  }

  private branchesOf(node: SyntaxNode): readonly SyntaxNode[] {
    const named = ["consequence", "alternative"].flatMap((field) => node.childForFieldName(field) ?? []);
    return named.length > 0 ? named : node.namedChildren.filter((_, index) => index !== 1);
  }

  private ofOperation(node: SyntaxNode, inner: Inner): ValueSign | undefined {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    const signs = [inner(left), inner(right)];
    switch (fieldText(node, "operator")) {
      case "*":
        return compact(left) === compact(right) ? positive : union(signs);
      case "/":
        return union(signs);
      case "+": {
        const sum = union(signs);
        return sum && { ...sum, isSum: sum.isSum || signs.every((sign) => (sign?.needs.size ?? 0) > 0) };
      }
      case "-": {
        const part = isOne(left) && right !== null ? inner(squareRootOf(right)) : undefined;
        return part === undefined || part.isSum ? undefined : { ...part, below: part.needs };
      }
      default:
        return undefined;
    }
  }

  private ofCall(node: SyntaxNode, scope: ValueScope, open: ReadonlySet<string>): ValueSign | undefined {
    const inner: Inner = (each) => (each ? this.signOf(each, scope, open) : undefined);
    const name = calleeOf(node);
    const given = argumentsOf(node);
    const callee = node.childForFieldName("function");
    if (name === "to" && callee?.type === "attribute") return inner(callee.namedChildren[0]);
    if (isCall(name, calls.loads)) {
      const pointer = given[0] && pointerOf(given[0], scope);
      return pointer === undefined ? undefined : { ...positive, needs: new Set([pointer]) };
    }
    if (isCall(name, calls.positive)) return positive;
    return ofKnown(name, given, inner) ?? this.ofOwnCall(node, scope, open);
  }

  /** What a function of the file returns. */
  private ofOwnCall(node: SyntaxNode, scope: ValueScope, open: ReadonlySet<string>): ValueSign | undefined {
    const entered = this.enter(node, scope);
    const returned = entered?.body
      .descendantsOfType("return_statement")
      .flatMap((each) => each.namedChildren[0] ?? []);
    if (entered === undefined || returned === undefined || returned.length === 0) return undefined;
    return union(returned.map((each) => this.signOf(each, entered, open)));
  }
}

/** What an assignment that changes a value makes of a positive one. */
function changed(operator: string, by: ValueSign | undefined): ValueSign | undefined {
  if (by === undefined || operator === "-=") return undefined;
  return operator === "+=" ? { ...by, isSum: by.needs.size > 0 } : by;
}

/** What a function of the language gives by its arguments. */
function ofKnown(name: string, given: readonly SyntaxNode[], inner: Inner): ValueSign | undefined {
  if (isCall(name, calls.powers))
    return /^[24](?:\.0*)?f?$/.test(given[1]?.text ?? "") ? positive : inner(given[0]);
  if (isCall(name, calls.maxima)) {
    const signs = given.map(inner);
    return signs.find((sign) => sign?.needs.size === 0) ?? union(signs);
  }
  if (isCall(name, calls.minima)) return union(given.map(inner));
  if (name === "where") return union(given.slice(1).map(inner));
  if (isCall(name, calls.second)) return inner(given[1]);
  const sign = isCall(name, calls.first) ? inner(given[0]) : undefined;
  return sign && { ...sign, isSum: sign.isSum || isCall(name, calls.sums) };
}

function union(signs: readonly (ValueSign | undefined)[]): ValueSign | undefined {
  const known = signs.flatMap((sign) => sign ?? []);
  if (known.length < signs.length || known.length === 0) return undefined;
  return {
    needs: new Set(known.flatMap(({ needs }) => [...needs])),
    below: new Set(known.flatMap(({ below }) => [...below])),
    isSum: known.some(({ isSum }) => isSum),
  };
}

/** `x` of `x * x`, and what is no square as it is: none of both is above one where `x` is not. */
function squareRootOf(node: SyntaxNode): SyntaxNode {
  const plain = unwrapped(node);
  const [left, right] = [plain.childForFieldName("left"), plain.childForFieldName("right")];
  const isSquare = left !== null && fieldText(plain, "operator") === "*" && compact(left) === compact(right);
  return isSquare ? left : plain;
}

function isOne(node: SyntaxNode | null): boolean {
  return node !== null && /^1(?:\.0*)?f?$/.test(node.text);
}

/** The last name of what a call calls, without namespaces, marks of intrinsics and of types. */
export function calleeOf(call: SyntaxNode): string {
  const text = compact(call.childForFieldName("function")).replace(/<.*$/, "");
  return text.split(/::|\.|->/).at(-1) ?? "";
}

/** Whether a function is one of a list, with the marks that its types put around it: `__logf` is a `log`. */
export function isCall(name: string, listed: readonly string[]): boolean {
  const plain = name.replace(/^_+/, "").replace(/_r[nzud]$/, "");
  return (
    listed.includes(plain) ||
    listed.includes(plain.replace(/f$/, "").replace(/^[fd](?=(?:sqrt|rsqrt|rcp)$)/, ""))
  );
}

/** The arguments of a call by position. */
export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  const given = call.childForFieldName("arguments")?.namedChildren ?? [];
  return given.filter(({ type }) => !/comment|keyword_argument/.test(type));
}

function parameterNames(definition: SyntaxNode): readonly string[] {
  const [declared] = definition.descendantsOfType(["parameter_list", "parameters"]);
  return (declared?.namedChildren ?? []).map(
    (each) => each.descendantsOfType("identifier").at(each.type === "typed_parameter" ? 0 : -1)?.text ?? "",
  );
}
