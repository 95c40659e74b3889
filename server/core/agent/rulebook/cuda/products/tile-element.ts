import { compact, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** What a thread puts into a tile: an element of global memory, or zero where a condition does not hold. */
export interface TileElement {
  readonly load: SyntaxNode;
  /** The load with the conversions around it. */
  readonly whole: SyntaxNode;
  readonly conditions: readonly SyntaxNode[];
}

/** `load`, or `condition ? load : 0`, whatever the load is converted to. */
export function tileElement(view: KernelView, value: SyntaxNode): TileElement | undefined {
  const inner = unwrapped(value);
  const plain = loadIn(inner);
  if (plain !== undefined) return { load: plain, whole: inner, conditions: [] };
  const condition = inner.childForFieldName("condition");
  const [load, other] = [inner.childForFieldName("consequence"), inner.childForFieldName("alternative")];
  if (inner.type !== "conditional_expression" || !condition || !load || !other) return undefined;
  const whole = unwrapped(load);
  const element = loadIn(whole);
  return element !== undefined && isZero(view, other)
    ? { load: element, whole, conditions: operands(condition, "&&") }
    : undefined;
}

/** The element under casts and conversions of one argument. */
function loadIn(value: SyntaxNode): SyntaxNode | undefined {
  let inner = unwrapped(value);
  for (;;) {
    if (inner.type === "subscript_expression") return inner;
    const [argument, ...more] = partsOf(inner.childForFieldName("arguments"));
    const cast = inner.type === "cast_expression" ? inner.childForFieldName("value") : undefined;
    const converts =
      inner.type === "call_expression" && conversion.test(compact(inner.childForFieldName("function")));
    const next = cast ?? (converts && more.length === 0 ? argument : undefined);
    if (next === undefined || next === null) return undefined;
    inner = unwrapped(next);
  }
}

/** What makes one number of another, and nothing else. */
const conversion = /^(?:static_cast<[\w ]+>|float|int|__\w+2\w+|__half2float|__bfloat162float)$/;

/** Zero, whatever it is converted to. */
function isZero(view: KernelView, node: SyntaxNode): boolean {
  const inner = unwrapped(node);
  const meaning = inner.type === "identifier" ? view.scope.meaning(inner.text) : undefined;
  if (typeof meaning === "object") return isZero(view, meaning);
  return /^(?:[\w:]+(?:<\w+>)?\(|\(\w+\))?0+(?:\.0*)?f?\)?$/.test(compact(inner));
}
