import { enclosing, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { onlyAssignment, type TritonView } from "../kernel";

/** Names that are followed into each other at most. */
const DEPTH = 6;

/**
 * An expression of the host, the same text for the same value: names stand for the numbers and sizes that
 * they are given, and a tensor that is made like another has its sizes.
 */
export function hostWords(node: SyntaxNode, view: TritonView): string {
  return worded(view, node, 0);
}

function worded(view: TritonView, node: SyntaxNode, depth: number): string {
  if (node.type === "identifier") return nameWords(view, node.text, depth);
  if (node.type === "attribute" || node.type === "subscript" || isSizeCall(node)) {
    const text = node.text.replace(/\s+/g, "");
    return text
      .replace(/^\w+(?=\.)/, (name) => modelOf(view, name, depth))
      .replace(/\.size\((-?\d+)\)$/, ".shape[$1]");
  }
  if (node.namedChildren.length === 0 || node.type === "string") return node.text;
  return node.children.map((child) => (child.isNamed ? worded(view, child, depth) : child.text)).join("");
}

/** `x.numel()`, `x.size(0)`, `x.stride(0)`. */
function isSizeCall(node: SyntaxNode): boolean {
  return node.type === "call" && /\.(numel|size|stride)\([-\d]*\)$/.test(node.text);
}

function nameWords(view: TritonView, name: string, depth: number): string {
  const value = depth < DEPTH ? valueOf(view, name) : undefined;
  if (value === undefined) return name;
  const { node, place } = value;
  const simple =
    node.type === "integer" || /^[\w.]+(\([\w.,() ]*\)|\[-?\d+\])?$/.test(node.text.replace(/\s+/g, " "));
  const made = /empty|zeros|ones|full|like|clone|contiguous|reshape|view/.test(node.text);
  if (!simple || made) return name;
  const words = worded(view, node, depth + 1);
  return place === undefined ? words : `${words}[${place}]`;
}

interface Given {
  readonly node: SyntaxNode;
  /** Which of several values: `a, b = f()`. */
  readonly place: number | undefined;
}

/** What a name of the function, or of the file, is given once. */
function valueOf({ host, model }: TritonView, name: string): Given | undefined {
  const own = onlyAssignment(host, name);
  const outer = own ?? onlyAssignment(model.root, name);
  const right = outer?.childForFieldName("right");
  const hidden =
    own === undefined && outer !== undefined && enclosing(outer, "function_definition") !== undefined;
  if (right && !hidden) return { node: right, place: undefined };
  const several = host.descendantsOfType("assignment").filter((act) => {
    const left = act.childForFieldName("left");
    return left?.type === "pattern_list" && partsOf(left).some(({ text }) => text === name);
  });
  const [act] = several;
  const value = act?.childForFieldName("right");
  if (several.length !== 1 || act === undefined || !value) return undefined;
  const place = partsOf(act.childForFieldName("left")).findIndex(({ text }) => text === name);
  const item = value.type === "expression_list" ? partsOf(value)[place] : undefined;
  return item === undefined ? { node: value, place } : { node: item, place: undefined };
}

/** The tensor whose sizes a tensor has: that which it is made like. */
function modelOf(view: TritonView, name: string, depth: number): string {
  const right = onlyAssignment(view.host, name)?.childForFieldName("right");
  const like =
    /^(?:torch\.\w+_like\((\w+)(?:, memory_format=[\w.]+)?\)|(\w+)\.(?:clone|contiguous)\(\))$/.exec(
      right?.text ?? "",
    );
  const model = like?.[1] ?? like?.[2];
  return model === undefined || depth > DEPTH ? name : modelOf(view, model, depth + 1);
}
