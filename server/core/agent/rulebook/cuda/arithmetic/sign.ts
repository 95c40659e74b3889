import type { Form } from "../../../../language/cuda/body/forms";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** Numbers that no kernel finds below zero: places in the grid, and its sides. */
const places = /^(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/;
const signed = /^(?:signed )?(?:int|short|char|long|long long|long int|int(?:8|16|32|64)_t|ptrdiff_t)$/;

/** The first name of an expression that is not seen to be signed: with it the whole is unsigned. */
export function unsignedIn(view: KernelView, node: SyntaxNode): SyntaxNode | undefined {
  return node.descendantsOfType("identifier").find(({ text, parent }) => {
    const type = typeOf(view, text);
    return type === undefined ? places.test(compact(parent)) : !signed.test(type);
  });
}

/** True where an expression of whole numbers is seen to be zero or more in every turn of the loop. */
export function isNeverNegative(view: KernelView, node: SyntaxNode, loop: CountedLoop, depth = 0): boolean {
  const inner = unwrapped(node);
  const of = (part: SyntaxNode | null): boolean =>
    part !== null && depth < 12 && isNeverNegative(view, part, loop, depth + 1);
  switch (inner.type) {
    case "number_literal":
      return /^\d{1,4}$/.test(inner.text);
    case "field_expression":
      return places.test(compact(inner));
    case "cast_expression":
      return of(inner.childForFieldName("value"));
    case "binary_expression": {
      const operator = fieldText(inner, "operator");
      const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
      if (operator === "%" || operator === ">>") return of(left);
      return ["+", "*", "/"].includes(operator) && of(left) && of(right);
    }
    case "identifier": {
      if (inner.text === loop.variable) return of(loop.start);
      const meaning = view.scope.meaning(inner.text);
      if (typeof meaning === "string") return /^\d{1,4}$/.test(meaning);
      return meaning === undefined ? isModulus(view, inner.text) : of(meaning);
    }
    default:
      return false;
  }
}

/** True where no factor of any product of a form is below zero. */
export function isFormOfSizes(view: KernelView, form: Form): boolean {
  return [...form].every(
    ([key, factor]) =>
      factor >= 0 &&
      key.split("*").every((part) => part === "" || places.test(part) || isModulus(view, part)),
  );
}

/** A parameter by which the kernel takes remainders: a size, which is more than zero. */
function isModulus({ body, kernel }: KernelView, name: string): boolean {
  const parameter = kernel.facts.parameters.some((each) => each.name === name && !each.pointer);
  const taken = body
    .descendantsOfType("binary_expression")
    .some((node) => fieldText(node, "operator") === "%" && compact(node.childForFieldName("right")) === name);
  return parameter && taken;
}

/** The type of a local or a parameter as it is written, behind other names of it. */
export function typeOf({ kernel, body, model }: KernelView, name: string): string | undefined {
  const local = localValues(body).find((each) => each.name === name);
  const parameter = kernel.facts.parameters.find((each) => each.name === name);
  const written = local === undefined ? parameter?.type : fieldText(local.declaration, "type");
  const plain = written
    ?.replace(/\b(?:const|volatile)\b/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain === undefined ? undefined : (model.types.get(plain) ?? plain);
}
