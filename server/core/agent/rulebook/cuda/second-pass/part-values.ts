import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { fieldText, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { type KernelView, scalarBytes } from "../kernel";
import { type CarriedValue, carriedValues } from "../rows/carried-values";
import { memberType, structureMembers } from "../structures/structure-layout";

/** A sum or an extreme of elements, in a local or in a member of one. */
export interface PartValue extends CarriedValue {
  readonly type: string;
}

/** What a loop makes of all its elements, each with its type; a guard's answer where the order matters. */
export function partValues(
  view: KernelView,
  { loop, body, variable }: CountedLoop,
  before: readonly SyntaxNode[],
): readonly PartValue[] | RuleHold {
  const carried = carriedValues(body, variable, { members: true });
  if (isNot(carried)) return carried;
  if (carried.length === 0) return not("no-pattern", "the loop puts nothing together", loop);
  const values = carried.map((value) => partValue(view, value, before) ?? value.name);
  const other = values.find((value) => typeof value === "string");
  return other === undefined
    ? values.flatMap((value) => (typeof value === "string" ? [] : [value]))
    : not("dependence", `${other} is no plain sum or extreme that begins at a constant`, loop);
}

function partValue(
  view: KernelView,
  value: CarriedValue,
  before: readonly SyntaxNode[],
): PartValue | undefined {
  if ((value.place ?? value.online ?? value.variance) !== undefined) return undefined;
  const [object = "", member] = value.name.split(".");
  const found = before.flatMap((declaration) =>
    declaration.childrenForFieldName("declarator").flatMap((node) => {
      const start = node.childForFieldName("value");
      return fieldText(node, "declarator") === object && start !== null ? [{ declaration, start }] : [];
    }),
  );
  const [made, ...more] = found;
  if (made === undefined || more.length > 0) return undefined;
  const written = fieldText(made.declaration, "type");
  if (!isConstant(startOf(view, made.start, { written, member }), value)) return undefined;
  const type = member === undefined ? written : memberType(view, written, member);
  return type === undefined || scalarBytes(view, type) === undefined ? undefined : { ...value, type };
}

/** What a member of a structure begins with: its part of the list. */
function startOf(
  view: KernelView,
  start: SyntaxNode,
  { written, member }: { readonly written: string; readonly member: string | undefined },
): SyntaxNode | undefined {
  if (member === undefined || start.type !== "initializer_list") return start;
  return partsOf(start)[structureMembers(view, written).indexOf(member)];
}

/** A start that all threads have alike; that of a sum is zero, as it is counted for each of them. */
function isConstant(start: SyntaxNode | undefined, { combination }: CarriedValue): boolean {
  // What a list leaves out is zero.
  if (start === undefined) return true;
  if (start.descendantsOfType(["call_expression", "subscript_expression", "pointer_expression"]).length > 0)
    return false;
  const numbers = start
    .descendantsOfType("number_literal")
    .map(({ text }) => Number(text.replace(/[fFuUlL]+$/, "")));
  const isZero =
    start.descendantsOfType("identifier").length === 0 && numbers.every((number) => number === 0);
  return combination !== "sum" || isZero;
}
