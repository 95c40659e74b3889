import { enclosing, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { parameterName } from "../../../../language/triton/names";
import { readTriton } from "../../../../language/triton/model";
import { isRearranged, methodCall } from "../../triton/views/copied-view";
import type { Measured } from "../measured";
import { groupOf, kindOfMethod, type TorchCall } from "./torch-kinds";
import { isTensor, tensorsIn } from "./tensor-names";
import { torchCallsOfExtension } from "./torch-cpp";

/** What functions do with tensors that launch the kernel, or call one that does; in source order. */
export function torchCalls({ input, view }: Measured): readonly TorchCall[] {
  if (view !== undefined) return torchCallsOfExtension(view);
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
  const hosts = hostsOf(root, { host: launch.host, tensors: passed });
  const { run } = input.spec;
  const called = run.kind === "entry" ? (/\w+/.exec(run.entry.call.replace(/^.*?::/, ""))?.[0] ?? "") : "";
  const last = hosts.findIndex(({ host }) => isNamed(host, called));
  return hosts.flatMap((each, place) => {
    const measured = run.kind === "entry" && (last < 0 || place <= last);
    const body = each.host.childForFieldName("body") ?? each.host;
    // What was run had tensors of one layout; those of the other one are copied.
    return callsIn(each).map((call) => ({ ...call, measured: measured && !changesLayout(call.node, body) }));
  });
}

/** True for a function of that name, and for a method of a class of that name. */
function isNamed(host: SyntaxNode, name: string): boolean {
  const holder = enclosing(host, "class_definition");
  return fieldText(host, "name") === name || (holder !== undefined && fieldText(holder, "name") === name);
}

/** A function of the host with names in it that are known to be tensors. */
interface Host {
  readonly host: SyntaxNode;
  readonly tensors: readonly string[];
}

/** The function that launches, and those of the file that call it and are no measurement. */
function hostsOf(root: SyntaxNode, first: Host): readonly Host[] {
  const found = [first];
  for (const each of found) {
    const name = fieldText(each.host, "name");
    const holder = enclosing(each.host, "class_definition");
    const applied =
      name === "forward" && holder ? `^${fieldText(holder, "name")}\\.apply$` : `(?:^|\\.)${name}$`;
    const called = new RegExp(applied);
    for (const call of root.descendantsOfType("call")) {
      const host = enclosing(call, "function_definition");
      if (host === undefined || !called.test(fieldText(call, "function"))) continue;
      if (/^main$|bench|test|profil|warm|ref/i.test(fieldText(host, "name"))) continue;
      if (found.some((known) => known.host.id === host.id) || found.length > 3) continue;
      found.push({ host, tensors: [...handedTo(each, call), ...resultOf(call)] });
    }
  }
  return found;
}

/** Names that a call hands to a function for what is a tensor there. */
function handedTo({ host, tensors }: Host, call: SyntaxNode): readonly string[] {
  const body = host.childForFieldName("body");
  const inside = body === null ? new Set<string>() : tensorsIn(body, tensors);
  const parameters = partsOf(host.childForFieldName("parameters")).map(parameterName);
  const own = /^(?:self|cls|ctx)$/.test(parameters[0] ?? "") ? parameters.slice(1) : parameters;
  return partsOf(call.childForFieldName("arguments")).flatMap((node, place) =>
    node.type === "identifier" && inside.has(own[place] ?? "") ? [node.text] : [],
  );
}

/** The name that what a call gives is kept under. */
function resultOf(call: SyntaxNode): readonly string[] {
  const act = call.parent?.type === "assignment" ? call.parent.childForFieldName("left") : null;
  return act?.type === "identifier" ? [act.text] : [];
}

function callsIn({ host, tensors: known }: Host): readonly Omit<TorchCall, "measured">[] {
  const body = host.childForFieldName("body");
  if (body === null) return [];
  const tensors = tensorsIn(body, known);
  const nodes = body.descendantsOfType(["call", "binary_operator", "augmented_assignment"]);
  const found = nodes.flatMap((node): readonly Omit<TorchCall, "measured">[] => {
    const inner = enclosing(node, "function_definition", "lambda");
    if (inner === undefined || inner.id !== host.id || isMeta(node, body)) return [];
    const kind = kindOf(node, tensors, body) ?? (changesLayout(node, body) ? "copies" : undefined);
    return kind === undefined ? [] : [{ kind, node }];
  });
  return found;
}

/** `x.contiguous()` and `y.contiguous(memory_format=…)` in a function that takes either layout of images. */
function changesLayout(node: SyntaxNode, body: SyntaxNode): boolean {
  const call = node.type === "call" ? methodCall(node) : undefined;
  if (call?.method !== "contiguous" && call?.method !== "to") return false;
  const named = call.given.some(({ text }) => /memory_format/.test(text));
  const plain = call.method === "contiguous" && call.given.length === 0;
  return named || (plain && /\bchannels_last/.test(body.text));
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

function kindOf(
  node: SyntaxNode,
  tensors: ReadonlySet<string>,
  body: SyntaxNode,
): TorchCall["kind"] | undefined {
  if (node.type !== "call") {
    const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
    return sides.some((side) => side !== null && isTensor(side, tensors)) ? "others" : undefined;
  }
  const call = methodCall(node);
  if (call === undefined || !worksOnTensors(node, call, tensors)) return undefined;
  const { object, method, given } = call;
  return kindOfMethod(method, {
    moved: () => isMoved(object, body, 0),
    converts: () => given.some(({ text }) => converts.test(text)),
  });
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
  return ofModule && groupOf(method) === "elements";
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
