import type { NamedConstant } from "../../../../language/cuda/constants";
import { constantVariables } from "../../../../language/cuda/constant-variables";
import { structureBody } from "../../../../language/cuda/launch/element-types";
import { collapse, compact, fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { typeOf } from "../arithmetic/sign";
import type { KernelView } from "../kernel";

/** Types that a sum of whole numbers has on a GPU, the stronger ones behind. */
const ranks = ["int", "unsigned", "long long", "unsigned long long"] as const;
export type WholeType = (typeof ranks)[number];

const spelled: readonly (readonly [RegExp, WholeType])[] = [
  [/^(?:(?:un)?signed )?(?:char|short|short int)$|^u?int(?:8|16)_t$|^u(?:char|short)$|^bool$/, "int"],
  [/^(?:signed )?int$|^signed$|^int32_t$/, "int"],
  [/^unsigned(?: int)?$|^uint(?:32_t)?$/, "unsigned"],
  [/^(?:signed )?long(?: long)?(?: int)?$|^int64_t$|^ptrdiff_t$|^ssize_t$/, "long long"],
  [/^unsigned long(?: long)?(?: int)?$|^uint64_t$|^size_t$|^(?:u64|ulonglong|ulong)$/, "unsigned long long"],
];
const places = /^(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/;
const vector = /^(u?)(?:char|short|int)[1-4]$/;

/** The type of a sum or a remainder of these; undefined where one is not seen to be a whole number. */
export function commonType(view: KernelView, operands: readonly SyntaxNode[]): WholeType | undefined {
  const found = operands.map((node) => wholeType(view, node));
  const order = found.map((type) => (type === undefined ? -1 : ranks.indexOf(type)));
  return order.includes(-1) ? undefined : ranks[Math.max(0, ...order)];
}

/** The type that a whole number has in arithmetic: shorter ones than `int` become one. */
function wholeType(view: KernelView, node: SyntaxNode): WholeType | undefined {
  const inner = unwrapped(node);
  if (inner.type === "number_literal") return literalType(inner.text);
  if (inner.type === "cast_expression") return promoted(view, fieldText(inner, "type"));
  const cast = inner.type === "call_expression" ? /^static_cast<([\w:\s]+)>$/.exec(calleeOf(inner)) : null;
  if (cast?.[1] !== undefined) return promoted(view, cast[1]);
  if (inner.type === "unary_expression" && fieldText(inner, "operator") === "-") {
    const argument = inner.childForFieldName("argument");
    return argument === null ? undefined : wholeType(view, argument);
  }
  const operator = inner.type === "binary_expression" ? fieldText(inner, "operator") : "";
  if (/^(?:[-+*/%&|^]|<<|>>)$/.test(operator)) {
    const sides = [inner.childForFieldName("left"), inner.childForFieldName("right")];
    const that = /^(?:<<|>>)$/.test(operator) ? sides.slice(0, 1) : sides;
    return commonType(
      view,
      that.flatMap((side) => side ?? []),
    );
  }
  const constant = inner.type === "identifier" ? view.model.constants.get(inner.text) : undefined;
  if (constant !== undefined) return typeOfConstant(view, constant);
  const type = writtenType(view, inner);
  return type === undefined ? undefined : promoted(view, type);
}

/** The type of a literal: the first that holds it, among those that its suffix and its base allow. */
function literalType(text: string): WholeType | undefined {
  const [, digits = "", suffix = ""] = /^(0[xX][\da-fA-F']+|[\d']+)([uUlL]*)$/.exec(text) ?? [];
  if (digits === "") return undefined;
  const value = BigInt(digits.replaceAll("'", ""));
  const [isUnsigned, isLong] = [/u/i.test(suffix), /l/i.test(suffix)];
  const plain = /^0[xX]/.test(digits) ? /./ : /^(?:int|long long)$/;
  const wanted = isUnsigned ? /^unsigned/ : plain;
  const most: readonly (readonly [WholeType, bigint])[] = [
    ["int", 31n],
    ["unsigned", 32n],
    ["long long", 63n],
    ["unsigned long long", 64n],
  ];
  return most.find(
    ([type, bits]) => wanted.test(type) && (!isLong || type.endsWith("long")) && value < 1n << bits,
  )?.[0];
}

function typeOfConstant(view: KernelView, { text, node }: NamedConstant): WholeType | undefined {
  const declared = node?.parent?.type === "init_declarator" ? fieldText(node.parent.parent, "type") : "";
  if (declared !== "" && declared !== "auto") return promoted(view, plainType(declared));
  const isNumber = /^\(*-?(?:0[xX])?[\da-fA-F']+[uUlL]*\)*$/.test(text);
  if (isNumber) return literalType(text.replace(/[()-]/g, ""));
  return /^enumerator/.test(node?.parent?.type ?? "enumerator") ? "int" : undefined;
}

function calleeOf(call: SyntaxNode): string {
  return collapse(fieldText(call, "function"));
}

function promoted(view: KernelView, type: string): WholeType | undefined {
  const plain = plainType(type);
  const meant = view.model.types.get(plain) ?? plain;
  return spelled.find(([pattern]) => pattern.test(meant))?.[1];
}

/** The type of a name, of an element or of a member, as it is written where that is declared. */
function writtenType(view: KernelView, node: SyntaxNode): string | undefined {
  if (node.type === "identifier") return typeOf(view, node.text) ?? constantType(view, node.text);
  if (node.type === "subscript_expression") {
    const array = node.childForFieldName("argument");
    return array === null ? undefined : writtenType(view, unwrapped(array));
  }
  if (node.type !== "field_expression") return undefined;
  if (places.test(compact(node))) return "unsigned";
  const holder = node.childForFieldName("argument");
  const type = holder === null ? undefined : writtenType(view, unwrapped(holder));
  return type === undefined ? undefined : memberType(view, plainType(type), fieldText(node, "field"));
}

function constantType({ model }: KernelView, name: string): string | undefined {
  return constantVariables(model.root.text).find((each) => each.name === name)?.type;
}

function memberType({ model }: KernelView, type: string, member: string): string | undefined {
  const [, unsigned] = vector.exec(type) ?? [];
  if (unsigned !== undefined) return unsigned === "u" && type.startsWith("uint") ? "unsigned" : "int";
  if (type === "dim3") return "unsigned";
  return structureBody(type, model.root)
    ?.namedChildren.filter((child) => child.type === "field_declaration")
    .find((field) =>
      field
        .childrenForFieldName("declarator")
        .some((each) => (each.descendantsOfType("field_identifier")[0] ?? each).text === member),
    )
    ?.childForFieldName("type")?.text;
}

function plainType(type: string): string {
  return type
    .replace(/\*|&|__restrict__|\b(?:const|volatile|struct|static|__shared__)\b/g, " ")
    .replace(/\bstd::/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
