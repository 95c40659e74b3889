import { parseSizeExpression } from "../../../workload/size-expression";
import type { SizeNode } from "../../../workload/size-syntax";
import { compact, fieldText, partsOf, unwrapped } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { KernelScope } from "./scope";

/**
 * An index expression as a sum of products with whole coefficients: `blockIdx.x * blockDim.x + threadIdx.x`
 * is {"blockDim.x*blockIdx.x": 1, "threadIdx.x": 1}, the key "" is the constant. Locals, constants and macros
 * are substituted, casts to whole numbers dropped; what is neither a sum nor a product is a factor under its
 * text. Two spellings of one affine expression have the same form.
 */
export type Form = ReadonlyMap<string, number>;

const wholeCast =
  /^(const)?(unsigned|signed)?(int|long|longlong|longlongint|short|char|size_t|unsigned|signed|u?int(16|32|64)_t|uint|ptrdiff_t|ssize_t)?$/;
const places = /^(?:thread|block)Idx\.[xyz]$|^(?:block|grid)Dim\.[xyz]$/;
const multiplications = new Set(["__umul24", "__mul24"]);

/** The form of an expression of a kernel. `open` are the names that are being followed. */
export function formOf(node: SyntaxNode, scope: KernelScope, open: readonly string[] = []): Form {
  const inner = unwrapped(node);
  const of = (part: SyntaxNode): Form => formOf(part, scope, open);
  switch (inner.type) {
    case "number_literal": {
      const value = scope.value(inner);
      return value === undefined ? factor(inner.text) : number(value);
    }
    case "identifier":
      return formOfName(inner.text, scope, open);
    case "binary_expression": {
      const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
      const operator = fieldText(inner, "operator");
      return left === null || right === null
        ? factor(compact(inner))
        : combined(operator, of(left), of(right));
    }
    case "unary_expression": {
      const argument = inner.childForFieldName("argument");
      const negative = inner.childForFieldName("operator")?.text === "-" && argument !== null;
      return negative ? combined("-", number(0), of(argument)) : factor(compact(inner));
    }
    default:
      return formOfCall(inner, of) ?? factor(compact(inner));
  }
}

/** Casts to whole numbers, and the multiplications of 24 bits that older code uses for indices. */
function formOfCall(node: SyntaxNode, of: (part: SyntaxNode) => Form): Form | undefined {
  if (node.type === "cast_expression") {
    const value = node.childForFieldName("value");
    return value !== null && wholeCast.test(compact(node.childForFieldName("type"))) ? of(value) : undefined;
  }
  if (node.type !== "call_expression") return undefined;
  const callee = compact(node.childForFieldName("function"));
  const [first, second] = partsOf(node.childForFieldName("arguments"));
  const cast = /^static_cast<(.*)>$/.exec(callee)?.[1] ?? callee;
  if (first === undefined) return undefined;
  if (second === undefined) {
    // Whatever type a template gives its indices: numbers of threads and blocks are whole.
    const isPlace = callee.startsWith("static_cast<") && places.test(compact(first));
    return cast !== "" && (wholeCast.test(cast) || isPlace) ? of(first) : undefined;
  }
  return multiplications.has(callee) ? combined("*", of(first), of(second)) : undefined;
}

function formOfName(name: string, scope: KernelScope, open: readonly string[]): Form {
  const meaning = open.includes(name) ? undefined : scope.meaning(name);
  if (meaning === undefined) return factor(name);
  if (typeof meaning !== "string") return formOf(meaning, scope, [...open, name]);
  const parsed = parseSizeExpression(meaning);
  return parsed.ok ? formOfText(parsed.value, scope, [...open, name]) : factor(name);
}

/** The same for the text of a macro. */
function formOfText(node: SizeNode, scope: KernelScope, open: readonly string[]): Form {
  switch (node.kind) {
    case "number":
      return number(node.value);
    case "variable":
      return formOfName(node.name, scope, open);
    case "binary":
      return combined(node.operator, formOfText(node.left, scope, open), formOfText(node.right, scope, open));
    case "unary":
      return node.operator === "-"
        ? combined("-", number(0), formOfText(node.operand, scope, open))
        : factor(`${node.operator}(${formText(formOfText(node.operand, scope, open))})`);
    case "call":
      return callForm(
        node.name,
        node.operands.map((operand) => formOfText(operand, scope, open)),
      );
    case "choice":
      return factor("?");
  }
}

function callForm(name: string, operands: readonly Form[]): Form {
  const [first] = operands;
  return name === "@whole" && first !== undefined
    ? first
    : factor(`${name}(${operands.map(formText).join(",")})`);
}

function number(value: number): Form {
  return new Map(value === 0 ? [] : [["", value]]);
}

function factor(text: string): Form {
  return new Map([[text, 1]]);
}

/** The value of a form that is a plain number. */
export function constantOf(form: Form): number | undefined {
  if (form.size === 0) return 0;
  return form.size === 1 ? form.get("") : undefined;
}

function combined(operator: string, left: Form, right: Form): Form {
  const shift = constantOf(right);
  switch (operator) {
    case "+":
      return sum(left, right, 1);
    case "-":
      return sum(left, right, -1);
    case "*":
      return product(left, right);
    case "<<":
      return shift === undefined ? opaque(operator, left, right) : product(left, number(2 ** shift));
    case ">>":
      return shift === undefined ? opaque(operator, left, right) : combined("/", left, number(2 ** shift));
    case "/":
      return quotient(left, right);
    case "&":
      return shift !== undefined && Number.isInteger(Math.log2(shift + 1))
        ? opaque("%", left, number(shift + 1))
        : opaque(operator, left, right);
    default:
      return opaque(operator, left, right);
  }
}

function quotient(left: Form, right: Form): Form {
  const [a, b] = [constantOf(left), constantOf(right)];
  if (b === 1) return left;
  return a !== undefined && b !== undefined && b !== 0 ? number(Math.trunc(a / b)) : opaque("/", left, right);
}

function opaque(operator: string, left: Form, right: Form): Form {
  return factor(`(${formText(left)}${operator}${formText(right)})`);
}

function sum(left: Form, right: Form, sign: 1 | -1): Form {
  const terms = new Map(left);
  for (const [key, times] of right) {
    const total = coefficient(terms, key) + sign * times;
    if (total === 0) terms.delete(key);
    else terms.set(key, total);
  }
  return terms;
}

function product(left: Form, right: Form): Form {
  let terms: Form = new Map<string, number>();
  for (const [a, first] of left)
    for (const [b, second] of right) {
      const factors = [...a.split("*"), ...b.split("*")].filter((part) => part !== "");
      terms = sum(terms, new Map([[factors.sort().join("*"), first * second]]), 1);
    }
  return terms;
}

/** What a product stands in the form with; 0 where it is not in it. The key "" asks for the constant. */
export function coefficient(form: Form, key: string): number {
  return form.get(key) ?? 0;
}

/** The form as text, the same for equal forms: `blockDim.x*blockIdx.x+threadIdx.x`. */
export function formText(form: Form): string {
  const terms = [...form].sort(([a], [b]) => (a < b ? 1 : -1));
  const texts = terms.map(([key, times]) => {
    if (key === "") return String(times);
    return times === 1 ? key : `${times}*${key}`;
  });
  return texts.length === 0 ? "0" : texts.join("+");
}

export function sameForm(a: Form, b: Form): boolean {
  return a.size === b.size && [...a].every(([key, times]) => b.get(key) === times);
}

/** A form from its parts: `formFrom({ "threadIdx.x": 1 })`. */
export function formFrom(terms: Readonly<Record<string, number>>): Form {
  return new Map(Object.entries(terms).filter(([, times]) => times !== 0));
}
