import { collapse, compact, fieldText, partsOf } from "../../../../language/query";
import type { CudaAccess } from "../../../../language/cuda/body/accesses";
import { localValues } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { structureNamed } from "../structures/structure-layout";

/** Atomics whose result nobody needs, and that may be done in any order, with how two values become one. */
export const combinations = {
  atomicAdd: (part: string, value: string) => `${part} += ${value};`,
  atomicMax: (part: string, value: string) => `${part} = max(${part}, ${value});`,
  atomicMin: (part: string, value: string) => `${part} = min(${part}, ${value});`,
  atomicAnd: (part: string, value: string) => `${part} &= ${value};`,
  atomicOr: (part: string, value: string) => `${part} |= ${value};`,
  atomicXor: (part: string, value: string) => `${part} ^= ${value};`,
};

/** An atomic that two values may become one by, in any order. */
export type Combining = keyof typeof combinations;

/** The least and the greatest value of the types of whole numbers. */
const ends: Readonly<Record<string, readonly [least: string, greatest: string]>> = {
  int: ["-2147483647 - 1", "2147483647"],
  unsigned: ["0", "0xffffffffu"],
  "long long": ["-9223372036854775807ll - 1", "9223372036854775807ll"],
  "unsigned long long": ["0", "0xffffffffffffffffull"],
};

const plainNames: Readonly<Record<string, string>> = {
  "unsigned int": "unsigned",
  uint32_t: "unsigned",
  uint: "unsigned",
  int32_t: "int",
  "long long int": "long long",
  int64_t: "long long",
  "unsigned long long int": "unsigned long long",
  uint64_t: "unsigned long long",
};

/** `atomicAdd(address, value);` with an address that is the same for the whole block. */
export interface SharedSum {
  readonly statement: SyntaxNode;
  readonly function: Combining;
  /** As it is known at the end of the kernel too. */
  readonly address: string;
  readonly value: SyntaxNode;
  readonly type: string;
}

/** What an atomic adds to one address of the block, or why it is no such sum. */
export function sharedSum(view: KernelView, { node: call, parameter }: CudaAccess): SharedSum | RuleHold {
  const [address, value, ...more] = partsOf(call.childForFieldName("arguments"));
  const statement = call.parent;
  const name = fieldText(call, "function");
  if (!isCombining(name) || address === undefined || value === undefined)
    return not("no-pattern", "the atomic is no sum and no extreme", call);
  if (statement?.type !== "expression_statement" || more.length > 0)
    return not("dependence", "what the atomic returns is used", call);
  const varies = (["x", "y", "z"] as const).some((axis) =>
    variesWithThread(view.model, view.body, axis)(address),
  );
  if (varies) return not("dependence", `${compact(address)} differs from thread to thread`, address);
  const base = view.kernel.facts.parameters.find(({ name, pointer }) => pointer && name === parameter);
  const known = knownAtEnd(view, address);
  if (base === undefined) return not("dependence", `${compact(address)} is no element`, address);
  if (isNot(known)) return known;
  const whole = collapse(base.type.replace(/\b(?:volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " "));
  const written = addressedType(view, address, whole);
  const type = view.model.types.get(written) ?? written;
  if (startOf(name, type) === undefined)
    return not("type", `the least and greatest ${type} are not known`, address);
  return { statement, function: name, address: known, value, type };
}

/** True for the name of such an atomic. */
export function isCombining(name: string): name is Combining {
  return name in combinations;
}

/** What a register begins with, so that it changes nothing. */
export function startOf(name: Combining, type: string): string | undefined {
  const bare = type.replace(/^std::/, "");
  const [least, greatest] = ends[plainNames[bare] ?? bare] ?? [];
  if (name === "atomicMax") return least;
  if (name === "atomicMin") return greatest;
  return name === "atomicAnd" ? `static_cast<${type}>(~0ull)` : "0";
}

/** The type of what an address names: that of the member where it is one of a structure. */
export function addressedType(view: KernelView, address: SyntaxNode, whole: string): string {
  const [inner] = address.descendantsOfType("field_expression");
  const isElement =
    inner?.parent?.type === "pointer_expression" || inner?.parent?.type === "subscript_expression";
  const named = isElement ? fieldText(inner, "field") : "";
  const structure = named === "" ? undefined : structureNamed(view.model.root, whole);
  const field = structure?.body.namedChildren.find((child) =>
    child
      .childrenForFieldName("declarator")
      .some((node) => node.descendantsOfType("field_identifier")[0]?.text === named),
  );
  return field === undefined ? whole : collapse(fieldText(field, "type"));
}

/** The address over names that are known at the end of the kernel: what locals of one value stand for. */
function knownAtEnd(view: KernelView, address: SyntaxNode): string | RuleHold {
  const { source, kernel, body, scope } = view;
  const own = new Set(localValues(body).map(({ name }) => name));
  const always = new Set([
    ...kernel.facts.parameters.map(({ name }) => name.split(".")[0]),
    "blockIdx",
    "gridDim",
    "blockDim",
  ]);
  const isKnown = ({ text }: SyntaxNode): boolean => always.has(text) && !own.has(text);
  const edits: TextEdit[] = [];
  for (const name of address.descendantsOfType("identifier").filter((each) => !isKnown(each))) {
    const meaning = scope.meaning(name.text);
    if (typeof meaning === "string" && /^[\w.]+$/.test(meaning)) continue;
    if (
      meaning === undefined ||
      typeof meaning === "string" ||
      !meaning.descendantsOfType("identifier").every(isKnown)
    )
      return not("dependence", `${name.text} is not known at the end of the kernel`, address);
    edits.push(replaceNode(name, isSimple(meaning) ? meaning.text : `(${meaning.text})`));
  }
  return editedText(source, { start: address.startIndex, end: address.endIndex }, edits);
}

function isSimple({ type }: SyntaxNode): boolean {
  return type === "identifier" || type === "field_expression";
}
