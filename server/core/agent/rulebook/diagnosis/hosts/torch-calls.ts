import { enclosing, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { readTriton } from "../../../../language/triton/model";
import { isRearranged, methodCall } from "../../triton/views/copied-view";
import type { Measured } from "../measured";
import table from "./torch-kinds.json";
import { isTensor, tensorsIn } from "./tensor-names";

type TorchKind = "copies" | "casts" | "others";

/** An operation of torch around a launch, which reads and writes whole tensors. */
export interface TorchCall {
  readonly kind: TorchKind;
  readonly node: SyntaxNode;
}

const names = Object.fromEntries(Object.entries(table).map(([kind, list]) => [kind, new Set(list)]));

/** What functions do with tensors that launch the kernel, or call one that does; in source order. */
export function torchCalls({ input }: Measured): readonly TorchCall[] {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (root === undefined || input.dialect !== "triton") return [];
  const model = readTriton(root);
  const own = input.kernel.split("::").at(-1);
  const launch = model.launches.find(({ site }) => site.kernel === own);
  const kernel = model.kernels.find(({ facts }) => facts.name === own);
  if (launch?.host === undefined || kernel === undefined) return [];
  const { positional, keywords } = launch;
  const passed = kernel.facts.parameters.flatMap(({ name, pointer }, place) => {
    const given = keywords.get(name) ?? positional[place];
    return pointer && given?.type === "identifier" ? [given.text] : [];
  });
  return hostsOf(root, launch.host).flatMap((host) =>
    callsIn(host, host.id === launch.host?.id ? passed : []),
  );
}

/** The function that launches, and those of the file that call it and are no measurement. */
function hostsOf(root: SyntaxNode, host: SyntaxNode): readonly SyntaxNode[] {
  const found = [host];
  for (const each of found) {
    const name = fieldText(each, "name");
    const holder = enclosing(each, "class_definition");
    const called = new RegExp(
      name === "forward" && holder ? `^${fieldText(holder, "name")}\\.apply$` : `(?:^|\\.)${name}$`,
    );
    for (const call of root.descendantsOfType("call")) {
      const around = enclosing(call, "function_definition");
      if (around === undefined || !called.test(fieldText(call, "function"))) continue;
      if (/^main$|bench|test|profil|warm|ref/i.test(fieldText(around, "name"))) continue;
      if (!found.some(({ id }) => id === around.id) && found.length < 4) found.push(around);
    }
  }
  return found;
}

function callsIn(host: SyntaxNode, passed: readonly string[]): readonly TorchCall[] {
  const body = host.childForFieldName("body");
  if (body === null) return [];
  const tensors = tensorsIn(body, passed);
  const nodes = body.descendantsOfType(["call", "binary_operator", "augmented_assignment"]);
  const found = nodes.flatMap((node): readonly TorchCall[] => {
    const inner = enclosing(node, "function_definition", "lambda");
    if (inner === undefined || inner.id !== host.id || isMeta(node, body)) return [];
    const kind = kindOf(node, tensors, body);
    return kind === undefined ? [] : [{ kind, node }];
  });
  return found;
}

/** True within a subscript that makes a grid, a size, or an index. */
function isMeta(node: SyntaxNode, body: SyntaxNode): boolean {
  const around = enclosing(node, "subscript");
  return (
    around !== undefined &&
    isInside(around, body) &&
    !isInside(node, around.childForFieldName("value") ?? node)
  );
}

function kindOf(node: SyntaxNode, tensors: ReadonlySet<string>, body: SyntaxNode): TorchKind | undefined {
  if (node.type !== "call") {
    const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
    return sides.some((side) => side !== null && isTensor(side, tensors)) ? "others" : undefined;
  }
  const call = methodCall(node);
  if (call === undefined || !worksOnTensors(node, call, tensors)) return undefined;
  const { object, method, given } = call;
  const group = Object.keys(names).find((each) => names[each]?.has(method));
  if (group === "moves") return isMoved(object, body, 0) ? "copies" : undefined;
  if (group === "conversions") return given.some(({ text }) => converts.test(text)) ? "casts" : undefined;
  return group === "copies" || group === "casts" || group === undefined ? group : "others";
}

const converts = /dtype|torch\.(?:float|half|bfloat|double|int|uint|long)/;
const modules = /^(?:torch|F|nn\.functional|torch\.nn\.functional|torch\.special)$/;

/** True for a method of a tensor, or a function of torch that is handed one. */
function worksOnTensors(
  node: SyntaxNode,
  { object, method, given }: NonNullable<ReturnType<typeof methodCall>>,
  tensors: ReadonlySet<string>,
): boolean {
  const first = modules.test(object.text) ? given[0] : object;
  const list = first?.type === "list" || first?.type === "tuple" ? partsOf(first) : [first];
  if (list.some((part) => part !== undefined && isTensor(part, tensors))) return true;
  const ofModule = modules.test(fieldText(node.childForFieldName("function"), "object"));
  return ofModule && names["elements"]?.has(method) === true;
}

/** A view in another order, also behind a name. */
function isMoved(node: SyntaxNode, body: SyntaxNode, depth: number): boolean {
  if (isRearranged(node)) return true;
  if (node.type !== "identifier" || depth > 3) return false;
  return body
    .descendantsOfType("assignment")
    .filter((act) => act.startIndex < node.startIndex && act.childForFieldName("left")?.text === node.text)
    .slice(-1)
    .some((act) => {
      const value = act.childForFieldName("right");
      return value !== null && !isInside(node, act) && isMoved(value, body, depth + 1);
    });
}
