import { partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import { onlyAssignment, type TritonView } from "../kernel";
import { hostWords } from "./host-words";

/** An expression of a kernel as text in the host's words. */
export type Words = (node: SyntaxNode) => string;

interface Read {
  readonly view: TritonView;
  readonly kernel: TritonKernel;
  readonly passed: ReadonlyMap<string, SyntaxNode>;
}

/** Both ways to tell an expression: whole, and by the terms of its sum, sorted. */
interface KernelWords {
  readonly words: Words;
  readonly terms: (node: SyntaxNode) => readonly string[];
}

/** Gives an expression of a kernel in the host's words: locals and parameters replaced by what they are. */
export function wordsOf(read: Read): KernelWords {
  return {
    words: (node) => told(read, node, []),
    terms: (node) => [...termsOf(read, { node, operator: "+", open: [] })].sort(),
  };
}

/** `open` are the names that are being followed. */
function told(read: Read, node: SyntaxNode, open: readonly string[]): string {
  const inner = unwrapped(node);
  if (inner.type === "identifier") return toldName(read, inner.text, open);
  const operator = inner.childForFieldName("operator")?.text;
  if (inner.type === "binary_operator" && (operator === "+" || operator === "*"))
    return `(${[...termsOf(read, { node: inner, operator, open })].sort().join(operator)})`;
  return inner.namedChildren.length === 0 ? inner.text : pieces(read, inner, open);
}

function toldName(read: Read, name: string, open: readonly string[]): string {
  const { view, kernel, passed } = read;
  const value = passed.get(name);
  const closed = open.includes(name);
  const moved = value === undefined || closed ? undefined : movedBy(kernel, name);
  if (value !== undefined && moved !== undefined)
    return `(${[hostWords(value, view), told(read, moved, [...open, name])].sort().join("+")})`;
  if (value !== undefined) return hostWords(value, view);
  const right = closed ? undefined : onlyAssignment(kernel.body, name)?.childForFieldName("right");
  return right ? told(read, right, [...open, name]) : `${kernel.facts.name}.${name}`;
}

interface Sum {
  readonly node: SyntaxNode;
  readonly operator: string;
  readonly open: readonly string[];
}

function termsOf(read: Read, { node, operator, open }: Sum): readonly string[] {
  const { view, kernel, passed } = read;
  const inner = unwrapped(node);
  if (inner.type === "identifier" && !open.includes(inner.text)) {
    const value = passed.get(inner.text);
    const followed =
      value === undefined
        ? onlyAssignment(kernel.body, inner.text)?.childForFieldName("right")
        : movedBy(kernel, inner.text);
    const more = followed
      ? termsOf(read, { node: followed, operator, open: [...open, inner.text] })
      : undefined;
    if (value !== undefined && more !== undefined && operator === "+")
      return [hostWords(value, view), ...more];
    if (value === undefined && more !== undefined) return more;
  }
  if (inner.type !== "binary_operator" || inner.childForFieldName("operator")?.text !== operator)
    return [told(read, inner, open)];
  return partsOf(inner).flatMap((part) => termsOf(read, { node: part, operator, open }));
}

function pieces(read: Read, node: SyntaxNode, open: readonly string[]): string {
  if (node.type === "attribute") return node.text;
  if (node.type === "keyword_argument" && node.childForFieldName("name")?.text === "axis") {
    const value = node.childForFieldName("value");
    return value === null ? node.text : told(read, value, open);
  }
  return node.children.map((child) => (child.isNamed ? told(read, child, open) : child.text)).join("");
}

/** What a kernel adds to a pointer, once and before anything else: `X += row * stride`. */
function movedBy({ body }: TritonKernel, name: string): SyntaxNode | undefined {
  const [act] = onlyAct(body, name);
  const adds = act?.type === "augmented_assignment" && act.childForFieldName("operator")?.text === "+=";
  const own = act?.parent?.parent?.id === body.id;
  return adds && own ? (act.childForFieldName("right") ?? undefined) : undefined;
}

function onlyAct(body: SyntaxNode, name: string): readonly SyntaxNode[] {
  const acts = body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name);
  return acts.length === 1 ? acts : [];
}
