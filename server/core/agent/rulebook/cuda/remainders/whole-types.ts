import { constantVariables } from "../../../../language/cuda/constant-variables";
import { structureBody } from "../../../../language/cuda/launch/element-types";
import { compact, fieldText, unwrapped } from "../../../../language/query";
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
  if (inner.type === "number_literal") return /^\d+$/.test(inner.text) ? "int" : undefined;
  if (inner.type === "cast_expression") return promoted(view, fieldText(inner, "type"));
  if (inner.type === "unary_expression" && fieldText(inner, "operator") === "-") {
    const argument = inner.childForFieldName("argument");
    return argument === null ? undefined : wholeType(view, argument);
  }
  if (inner.type === "binary_expression" && /^[-+*]$/.test(fieldText(inner, "operator"))) {
    const sides = [inner.childForFieldName("left"), inner.childForFieldName("right")];
    return commonType(
      view,
      sides.flatMap((side) => side ?? []),
    );
  }
  if (inner.type === "identifier" && view.model.constants.has(inner.text)) return "int";
  const type = writtenType(view, inner);
  return type === undefined ? undefined : promoted(view, type);
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
