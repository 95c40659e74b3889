import { enclosing, fieldText, partsOf, usesOf } from "../../../../language/query";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { onlyAssignment, type TritonView } from "../kernel";

/** `w.t().contiguous()`, `x.clone()`: elements copied, into another order or as often as they are needed. */
export interface CopiedView {
  /** The call that copies, with what it is called on. */
  readonly copy: SyntaxNode;
  /** What is copied: `w.t()`. */
  readonly viewed: SyntaxNode;
  /** True where the copy gives the view another shape: `k[:, :, None].expand(…).reshape(…)`. */
  readonly reshaped: boolean;
  /** Where the copy is the whole of a name's value: the name. */
  readonly name: string | undefined;
  /** The function that the copy stands in. */
  readonly scope: SyntaxNode;
}

/** Calls that give elements another order, or the same elements several times. */
const rearranging = new Set([
  ...["t", "transpose", "permute", "movedim", "moveaxis", "swapaxes", "swapdims"],
  ...["expand", "expand_as", "broadcast_to", "narrow"],
]);
const rearrangingAttributes = new Set(["T", "mT", "H"]);

/** `object.method(…)` in its parts; undefined for any other expression. */
interface MethodCall {
  readonly object: SyntaxNode;
  readonly method: string;
  readonly given: readonly SyntaxNode[];
}

/** Reads `x.expand(n, -1)`, and `torch.transpose(x, 0, 1)` as if it were a method of its first argument. */
export function methodCall(node: SyntaxNode): MethodCall | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  const object = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  if (!object) return undefined;
  const method = fieldText(callee, "attribute");
  const given = partsOf(node.childForFieldName("arguments"));
  if (object.text !== "torch") return { object, method, given };
  const [first, ...others] = given;
  return first && { object: first, method, given: others };
}

/** The value as a copy of a view; undefined where nothing is copied, or in the order that it has anyway. */
function copiedIn(value: SyntaxNode): Pick<CopiedView, "copy" | "viewed" | "reshaped"> | undefined {
  const call = methodCall(value);
  if (call === undefined) return undefined;
  const { object, method, given } = call;
  const copies = method === "contiguous" || method === "clone";
  const own = { copy: value, viewed: object, reshaped: false };
  if (copies && given.length === 0 && (method === "clone" || isRearranged(object))) return own;
  if (method === "reshape" && methodCall(object)?.method === "expand") return { ...own, reshaped: true };
  // Repeated along its first dimension, a tensor lies in memory several times as a whole.
  const repeats = (method === "repeat" || method === "tile") && given.length > 0;
  const whole = repeats && given.slice(1).every(({ text }) => text === "1");
  return whole || method === "repeat_interleave" ? { ...own, viewed: value } : undefined;
}

/** True for an expression whose elements do not lie in memory as they are counted. */
export function isRearranged(node: SyntaxNode): boolean {
  if (node.type === "attribute")
    return rearrangingAttributes.has(fieldText(node, "attribute")) || isRearranged(objectOf(node));
  if (node.type === "subscript")
    return node.childrenForFieldName("subscript").some(({ type }) => type === "slice" || type === "none");
  const call = methodCall(node);
  return call !== undefined && (rearranging.has(call.method) || isRearranged(call.object));
}

function objectOf(attribute: SyntaxNode): SyntaxNode {
  return attribute.childForFieldName("object") ?? attribute;
}

/**
 * The copy that a launch passes for an argument: under a name, or handed to the launching function by its
 * only caller in the file.
 */
export function copiedView(view: TritonView, argument: SyntaxNode): CopiedView | undefined {
  const { host } = view;
  if (argument.type !== "identifier") return undefined;
  const own = copiedUnder(host, argument.text);
  if (own !== undefined) return own;
  const place = parametersOf(host).indexOf(argument.text);
  if (place < 0 || givenIn(host, argument.text).length > 0) return undefined;
  const [call, ...more] = callsOf(view.model.root, host);
  const caller = call && enclosing(call, "function_definition");
  if (call === undefined || caller === undefined || more.length > 0) return undefined;
  const passed = passedAt(call, argument.text, place);
  const inside = passed && copiedIn(passed);
  if (inside) return { ...inside, name: undefined, scope: caller };
  return passed?.type === "identifier" ? copiedUnder(caller, passed.text) : undefined;
}

function copiedUnder(scope: SyntaxNode, name: string): CopiedView | undefined {
  const value = onlyAssignment(scope, name)?.childForFieldName("right");
  const found = value ? copiedIn(value) : undefined;
  return found && { ...found, name, scope };
}

function givenIn(scope: SyntaxNode, name: string): readonly SyntaxNode[] {
  return scope
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
}

/** Names of the parameters that a caller passes something for. */
function parametersOf(host: SyntaxNode): readonly string[] {
  const names = partsOf(host.childForFieldName("parameters")).map(parameterName);
  return /^(?:self|cls|ctx)$/.test(names[0] ?? "") ? names.slice(1) : names;
}

/** Calls of a function, or of a method, anywhere in the file. */
function callsOf(root: SyntaxNode, host: SyntaxNode): readonly SyntaxNode[] {
  const name = fieldText(host, "name");
  const spelled = new RegExp(`(^|\\.)${name}$`);
  return root.descendantsOfType("call").filter((call) => spelled.test(fieldText(call, "function")));
}

function passedAt(call: SyntaxNode, name: string, place: number): SyntaxNode | undefined {
  const given = partsOf(call.childForFieldName("arguments"));
  const named = given.find((node) => node.type === "keyword_argument" && fieldText(node, "name") === name);
  if (named !== undefined) return named.childForFieldName("value") ?? undefined;
  const positional = given.filter(({ type }) => type !== "keyword_argument");
  return positional.some(({ type }) => /splat/.test(type)) ? undefined : positional[place];
}
