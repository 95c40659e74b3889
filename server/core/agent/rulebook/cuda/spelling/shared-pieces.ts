import { at } from "../../../../base/known";
import { arraysOf, elementOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { formOf } from "../../../../language/cuda/body/forms";
import { isAssigned } from "../../../../language/cuda/body/scope";
import { constantValue } from "../../../../language/cuda/constants";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { fieldText, isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { type KernelView, scalarBytes } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { pointerSum } from "./pointers";
import { taken } from "./spelling";

/** A pointer into shared memory that the launch gives: `float* sums = buffer + blockDim.x;`. */
interface Piece {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** In bytes from the start. */
  readonly offset: number;
  readonly declaration: SyntaxNode;
}

/** More than this a block may not have of its own. */
const staticMost = 49_152;

/**
 * `extern __shared__ float buffer[];` that pointers cut in pieces as an array of the block for each piece,
 * where the only launch says the size: `__shared__ float sums[256];`. Lines stay where they are.
 */
export function piecesApart(input: RuleInput, view: KernelView): readonly TextEdit[] | undefined {
  const block = blockShape(input, view);
  const [array, ...others] = arraysOf(view.body).filter(({ storage }) => storage === "dynamic");
  const [launch, ...launches] = view.launches;
  if (isNot(block) || array === undefined || launch === undefined) return undefined;
  if (others.length + launches.length > 0 || array.declaration.parent?.id !== view.body.id) return undefined;
  const given = givenBytes(view, launch);
  const pieces = piecesOf(view, array, block.sizes[0]);
  if (given === undefined || pieces === undefined || given.bytes > staticMost) return undefined;
  const sorted = [...pieces].sort((a, b) => a.offset - b.offset);
  const ends = [...sorted.slice(1).map(({ offset }) => offset), given.bytes];
  const lengths = sorted.map((piece, place) => (at(ends, place) - piece.offset) / piece.bytes);
  if (at(sorted, 0).offset !== 0 || !lengths.every((length) => Number.isInteger(length) && length > 0))
    return undefined;
  const declared = sorted.map(
    ({ type, name }, place) => `__shared__ ${type} ${name}[${at(lengths, place)}];`,
  );
  const declarations = new Map(sorted.map(({ declaration }) => [declaration.id, declaration]));
  const { declaration } = array;
  return [
    replaceNode(declaration, `${declared.join(" ")}${declaration.text.replace(/[^\n]/g, "")}`),
    ...[...declarations.values()].map(taken),
    replaceNode(given.node, "0"),
  ];
}

/** What a launch gives its blocks, as a number. */
function givenBytes(
  view: KernelView,
  { call, names }: CudaLaunch,
): { readonly bytes: number; readonly node: SyntaxNode } | undefined {
  const configuration = call.children.find((child) => child.type === "kernel_call_syntax");
  const node = partsOf(configuration)[2];
  if (node === undefined) return undefined;
  const written = constantIn(node.text, names);
  const sized = written.replace(/\bsizeof\s*\(?\s*([\w ]+?)\s*\)/g, (whole, type: string) =>
    String(scalarBytes(view, type) ?? whole),
  );
  const bytes = constantValue(sized, names);
  return bytes === undefined ? undefined : { bytes, node };
}

/** A name that stands for an expression with `sizeof` as that expression. */
function constantIn(text: string, names: CudaLaunch["names"]): string {
  const named = /^\w+$/.test(text) ? names.get(text)?.text : undefined;
  return named ?? text;
}

/** The pieces, where the array is used for pointers of the body alone, which go element by element. */
function piecesOf(view: KernelView, array: KernelArray, threads: number): readonly Piece[] | undefined {
  const bytes = scalarBytes(view, array.type);
  if (bytes === undefined) return undefined;
  const pieces: Piece[] = [];
  const bases = new Map([[array.name, { offset: 0, bytes }]]);
  for (const declaration of partsOf(view.body).filter(({ type }) => type === "declaration")) {
    const declarators = declaration.childrenForFieldName("declarator");
    const found = declarators.map((node) => pieceIn(view, node, { bases, threads, declaration }));
    const own = found.flatMap((piece) => piece ?? []);
    // A declaration that names something else beside pieces would lose it.
    if (own.length > 0 && own.length < declarators.length) return undefined;
    for (const piece of own) bases.set(piece.name, piece);
    pieces.push(...own);
  }
  const heads = pieces.map(({ declaration }) => declaration);
  const plain = [...bases.keys()].every((name) =>
    usesOf(view.body, name)
      .filter((use) => !isInside(use, array.declaration) && !heads.some((head) => isInside(use, head)))
      .every((use) => name !== array.name && elementOf(use, 1)?.node.parent?.type !== "pointer_expression"),
  );
  const offsets = new Set(pieces.map(({ offset }) => offset));
  const steady = pieces.every(({ name }) => !isAssigned(view.body, name) && isElementwise(view, name, heads));
  return pieces.length > 0 && plain && steady && offsets.size === pieces.length ? pieces : undefined;
}

function isElementwise({ body }: KernelView, name: string, heads: readonly SyntaxNode[]): boolean {
  return usesOf(body, name)
    .filter((use) => !heads.some((head) => isInside(use, head)))
    .every((use) => elementOf(use, 1) !== undefined);
}

interface Cut {
  readonly bases: ReadonlyMap<string, { readonly offset: number; readonly bytes: number }>;
  readonly threads: number;
  readonly declaration: SyntaxNode;
}

/** `sums = buffer + blockDim.x`, also behind a cast and with `&buffer[…]`. */
function pieceIn(
  view: KernelView,
  node: SyntaxNode,
  { bases, threads, declaration }: Cut,
): Piece | undefined {
  const value = node.childForFieldName("value");
  const pointer = node.childForFieldName("declarator");
  const name = pointer?.type === "pointer_declarator" ? pointer.childForFieldName("declarator") : null;
  if (node.type !== "init_declarator" || value === null || name?.type !== "identifier") return undefined;
  const type = fieldText(declaration, "type");
  const sum = pointerSum(unwrapped(uncast(value)));
  const base = sum && bases.get(sum.base.text);
  const bytes = scalarBytes(view, type);
  if (sum === undefined || base === undefined || bytes === undefined) return undefined;
  const offsets = sum.offsets.map((offset) => countOf(view, offset, threads));
  if (offsets.some((offset) => offset === undefined)) return undefined;
  const elements = offsets.reduce<number>((total, offset) => total + (offset ?? 0), 0);
  return { name: name.text, type, bytes, offset: base.offset + elements * base.bytes, declaration };
}

function uncast(value: SyntaxNode): SyntaxNode {
  const inner = unwrapped(value);
  if (inner.type === "cast_expression") return inner.childForFieldName("value") ?? inner;
  const [argument] = partsOf(inner.childForFieldName("arguments"));
  const isCast =
    inner.type === "call_expression" && /^reinterpret_cast<.*>$/.test(fieldText(inner, "function"));
  return isCast ? (argument ?? inner) : inner;
}

/** A number of elements in which the block's threads are known. */
function countOf(view: KernelView, node: SyntaxNode, threads: number): number | undefined {
  let total = 0;
  for (const [key, coefficient] of formOf(node, view.scope)) {
    const factors = key === "" ? [] : key.split("*");
    if (factors.some((factor) => factor !== "blockDim.x")) return undefined;
    total += coefficient * threads ** factors.length;
  }
  return total;
}
