import { compact, fieldText, partsOf, unwrapped } from "../../../../language/query";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import factories from "./torch-factories.json";

/** A number, a type or a device; or a tensor that is made of such alone. */
export type Kind = "scalar" | "table";

/** What is known of the names of a function. */
type Kinds = ReadonlyMap<string, Kind>;

/** Tells what host expressions are made of; functions of the file are looked into. */
export interface KindReader {
  kindOf(node: SyntaxNode, kinds: Kinds): Kind | undefined;
  /** The function of the file that a call means, where it makes a table of scalars. */
  functionOf(call: SyntaxNode): SyntaxNode | undefined;
}

/** Functions that are followed into each other at most. */
const DEPTH = 4;

const made = new Set(factories.made);
const random = /^(?:rand|empty|normal|bernoulli|multinomial|poisson|load|from_|as_strided|cuda$)/;
const asked = new Set(["device", "dtype", "shape", "ndim", "is_cuda"]);
const measured = new Set(["size", "numel", "dim", "stride", "element_size"]);
const numbers = new Set(["min", "max", "int", "float", "len", "abs", "round", "bool"]);

/** Reads the expressions of a file. */
export function kindReader(root: SyntaxNode): KindReader {
  const functions = root.descendantsOfType("function_definition");
  const kindOf = (node: SyntaxNode, kinds: Kinds, depth = 0): Kind | undefined => {
    const inner = unwrapped(node);
    const of = (part: SyntaxNode): Kind | undefined => kindOf(part, kinds, depth);
    if (/^(?:integer|float|string|true|false|none)$/.test(inner.type)) return "scalar";
    if (inner.type === "identifier") return kinds.get(inner.text);
    if (inner.type === "keyword_argument") return partOf(inner, "value", of);
    if (inner.type === "attribute") return attributeKind(inner, of);
    if (inner.type === "call") return callKind(inner, of, (each) => resultKind(each, depth));
    const isPlain = /operator$|^(?:tuple|list|expression_list|subscript|slice|conditional_expression)$/.test(
      inner.type,
    );
    return isPlain ? joined(partsOf(inner).map(of)) : undefined;
  };
  const functionOf = (call: SyntaxNode): SyntaxNode | undefined => {
    const callee = compact(call.childForFieldName("function")).replace(/^self\./, "");
    const [only, ...more] = functions.filter((each) => fieldText(each, "name") === callee);
    return more.length === 0 ? only : undefined;
  };
  const resultKind = (call: SyntaxNode, depth: number): Kind | undefined => {
    const definition = depth < DEPTH ? functionOf(call) : undefined;
    if (definition === undefined) return undefined;
    const parameters = partsOf(definition.childForFieldName("parameters")).map(parameterName);
    const kinds = new Map<string, Kind>(
      parameters.filter((name) => name !== "self").map((name) => [name, "scalar"]),
    );
    let result: Kind | undefined;
    for (const statement of partsOf(definition.childForFieldName("body"))) {
      if (result !== undefined) return undefined;
      const [act] = partsOf(statement);
      if (statement.type === "return_statement") {
        result = act && kindOf(act, kinds, depth + 1);
        if (result === undefined) return undefined;
      } else if (act?.type !== "string" && !give(statement, kinds, (node) => kindOf(node, kinds, depth + 1)))
        return undefined;
    }
    return result;
  };
  return { kindOf: (node, kinds) => kindOf(node, kinds), functionOf };
}

/** Notes the names that a statement gives; false where it does anything else, or gives more than is known. */
export function give(
  statement: SyntaxNode,
  kinds: Map<string, Kind>,
  kindOf: (node: SyntaxNode) => Kind | undefined,
): boolean {
  const [act, ...more] = partsOf(statement);
  const [left, right] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  if (statement.type !== "expression_statement" || act?.type !== "assignment" || more.length > 0)
    return false;
  const kind = right ? kindOf(right) : undefined;
  const names = left?.type === "identifier" ? [left] : partsOf(left);
  if (kind === undefined || names.some(({ type }) => type !== "identifier")) return false;
  for (const { text } of names) kinds.set(text, kind);
  return true;
}

type Of = (node: SyntaxNode) => Kind | undefined;

function partOf(node: SyntaxNode, field: string, of: Of): Kind | undefined {
  const part = node.childForFieldName(field);
  return part ? of(part) : undefined;
}

function joined(kinds: readonly (Kind | undefined)[]): Kind | undefined {
  if (kinds.includes(undefined)) return undefined;
  return kinds.includes("table") ? "table" : "scalar";
}

/** `torch.float32`, `x.device`, `x.shape`, `self.base` where that is a number, `table.T`. */
function attributeKind(node: SyntaxNode, of: Of): Kind | undefined {
  const [object, name] = [fieldText(node, "object"), fieldText(node, "attribute")];
  if (object === "torch" || object === "math") return "scalar";
  if (object === "self") return isNumber(node, name) ? "scalar" : undefined;
  return asked.has(name) ? "scalar" : partOf(node, "object", of);
}

/** True for what the class gives `self.NAME` in its methods as arithmetic of numbers, and nothing else. */
function isNumber(node: SyntaxNode, name: string): boolean {
  let holder = node.parent;
  while (holder && holder.type !== "class_definition") holder = holder.parent;
  const given = (holder?.descendantsOfType(["assignment", "augmented_assignment"]) ?? []).filter(
    (act) => compact(act.childForFieldName("left")) === `self.${name}`,
  );
  return (
    given.length > 0 &&
    given.every((act) => {
      const right = act.childForFieldName("right");
      const calls = right?.descendantsOfType("call") ?? [];
      return (
        !!right &&
        calls.every((call) => /^(?:math\.\w+|int|float|min|max)$/.test(fieldText(call, "function")))
      );
    })
  );
}

/** What a call is of, and on what. */
function calleeOf(call: SyntaxNode): { readonly object: SyntaxNode | null; readonly name: string } {
  const callee = call.childForFieldName("function");
  const object = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  return { object, name: object === null ? compact(callee) : fieldText(callee, "attribute") };
}

function callKind(call: SyntaxNode, of: Of, resultOf: Of): Kind | undefined {
  const { object, name } = calleeOf(call);
  const owner = object?.text ?? "";
  if (measured.has(name) && owner !== "torch") return "scalar";
  const given = joined(partsOf(call.childForFieldName("arguments")).map(of));
  if (given === undefined) return undefined;
  if (owner === "torch") return torchKind(name, given);
  if (ofNumbers(owner, name)) return given === "scalar" ? "scalar" : undefined;
  if (object === null || owner === "self") return given === "scalar" ? resultOf(call) : undefined;
  return isKept(name) && of(object) === "table" ? "table" : undefined;
}

function ofNumbers(owner: string, name: string): boolean {
  return owner === "math" || owner === "triton" || (owner === "" && numbers.has(name));
}

/** True for a method that neither changes its tensor nor asks for what is in it. */
function isKept(name: string): boolean {
  return !/_$|^(?:item|tolist|cpu|numpy)$/.test(name);
}

/** What makes tensors of numbers does so here; what works on tensors does where they are tables. */
function torchKind(name: string, given: Kind): Kind | undefined {
  if (made.has(name)) return "table";
  return given === "table" && !random.test(name) && !name.endsWith("_") ? "table" : undefined;
}
