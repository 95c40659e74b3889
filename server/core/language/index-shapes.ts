import { at } from "../base/known";
import { parseSizeExpression, variablesOf } from "../workload/size-expression";
import type { SizeNode } from "../workload/size-syntax";
import { collapse } from "./query";

/**
 * One access to global memory through a parameter: `parameter[index]` where the comparisons `left < right`
 * hold.
 */
export interface Access {
  readonly parameter: string;
  readonly index: string;
  readonly guards: readonly Guard[];
}

export interface Guard {
  readonly left: string;
  readonly right: string;
}

export interface IndexWords {
  /** Scalar parameters: the names that may be sizes. */
  readonly sizes: ReadonlySet<string>;
  /** Locals of the kernel with the expression that they begin with. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Names of sizes that the grid runs over, x first; undefined where the grid is no plain name. */
  readonly grid: readonly (string | undefined)[];
}

const programId = /(?:tl|language)\.program_id\(\s*(?:axis\s*=\s*)?([012])\s*\)/g;

/**
 * Text that a size expression can be read from: broadcasting subscripts go, program ids become the block
 * index of CUDA.
 */
function plainIndex(text: string): string {
  return collapse(text)
    .replace(programId, (_, axis: string) => `blockIdx.${at("xyz", Number(axis))}`)
    .replace(/(?:tl|language)\.\w+\([^()]*\)/g, "lanes")
    .replace(/\[\s*(?::|None|,|\s)*\]/g, "");
}

/**
 * The shape that an access implies, slowest dimension first: `(row + step) * columns + column` under `row +
 * step < rows` is [rows, columns]. Undefined when a dimension cannot be named; nothing is guessed here.
 */
export function shapeOfAccess(access: Access, words: IndexWords): readonly string[] | undefined {
  const node = parsed(access.index);
  return node === undefined ? undefined : dimensions(expanded(node, words, 0), access.guards, words);
}

function parsed(text: string): SizeNode | undefined {
  const outcome = parseSizeExpression(plainIndex(text));
  return outcome.ok ? outcome.value : undefined;
}

/** Locals that hide a multiplication by a size are replaced by what they stand for. */
function expanded(node: SizeNode, words: IndexWords, depth: number): SizeNode {
  if (depth > 6) return node;
  if (node.kind === "variable") {
    const definition = words.definitions.get(node.name);
    const inner = definition === undefined ? undefined : parsed(definition);
    const product = inner !== undefined && products(inner).some((name) => words.sizes.has(name));
    return inner !== undefined && product ? expanded(inner, words, depth + 1) : node;
  }
  if (node.kind === "binary")
    return {
      ...node,
      left: expanded(node.left, words, depth + 1),
      right: expanded(node.right, words, depth + 1),
    };
  return node;
}

/** Names that something is multiplied by. */
function products(node: SizeNode): readonly string[] {
  if (node.kind !== "binary") return [];
  const own =
    node.operator === "*"
      ? [node.left, node.right].flatMap((side) => (side.kind === "variable" ? [side.name] : []))
      : [];
  return [...own, ...products(node.left), ...products(node.right)];
}

function dimensions(
  node: SizeNode,
  guards: readonly Guard[],
  words: IndexWords,
): readonly string[] | undefined {
  const terms = termsOf(node);
  for (const term of terms) {
    if (term.kind !== "binary" || term.operator !== "*") continue;
    const [stride, rest] = strideOf(term, words) ?? [];
    if (stride === undefined || rest === undefined) continue;
    const slower = dimensions(rest, guards, words);
    return slower === undefined ? undefined : [...slower, stride];
  }
  const bound = boundOf(node, guards, words);
  return bound === undefined ? undefined : [bound];
}

function strideOf(
  term: Extract<SizeNode, { kind: "binary" }>,
  words: IndexWords,
): readonly [string, SizeNode] | undefined {
  if (term.right.kind === "variable" && words.sizes.has(term.right.name)) return [term.right.name, term.left];
  if (term.left.kind === "variable" && words.sizes.has(term.left.name)) return [term.left.name, term.right];
  return undefined;
}

function termsOf(node: SizeNode): readonly SizeNode[] {
  return node.kind === "binary" && /^[+-]$/.test(node.operator)
    ? [...termsOf(node.left), ...termsOf(node.right)]
    : [node];
}

/**
 * What an index runs up to: a guard on the whole of it, a guard on one of its names, the grid when it is a
 * block index, or the grid times what each block covers.
 */
function boundOf(node: SizeNode, guards: readonly Guard[], words: IndexWords): string | undefined {
  const usable = guards.filter((guard) => words.sizes.has(guard.right));
  const whole = usable.find((guard) => textOf(parsed(guard.left)) === textOf(node));
  if (whole !== undefined) return whole.right;
  const names = variablesOf(node);
  const named = usable.find((guard) => names.includes(guard.left));
  if (named !== undefined) return named.right;
  return gridOf(node, words) ?? blocksOf(node, words);
}

/** The text that a name stands for, or the name itself. */
function meaningOf(node: SizeNode, words: IndexWords): string | undefined {
  return node.kind === "variable" ? plainIndex(words.definitions.get(node.name) ?? node.name) : undefined;
}

/** The size that a block index runs up to. */
function gridOf(node: SizeNode, words: IndexWords): string | undefined {
  const axis = /^blockIdx\.([xyz])$/.exec(meaningOf(node, words) ?? "")?.[1];
  return axis === undefined ? undefined : words.grid["xyz".indexOf(axis)];
}

/** `blockIdx.x * 128 + threadIdx.x` runs up to 128 times the grid. */
function blocksOf(node: SizeNode, words: IndexWords): string | undefined {
  const [first, ...more] = termsOf(node).filter(
    (term) => !/^threadIdx\.[xyz]$/.test(meaningOf(term, words) ?? ""),
  );
  if (first?.kind !== "binary" || first.operator !== "*" || more.length > 0) return undefined;
  const [count, block] = first.left.kind === "number" ? [first.left, first.right] : [first.right, first.left];
  const blocks = count.kind === "number" ? gridOf(block, words) : undefined;
  return blocks === undefined || count.kind !== "number" ? undefined : `${blocks} * ${count.value}`;
}

function textOf(node: SizeNode | undefined): string {
  if (node === undefined) return "?";
  switch (node.kind) {
    case "number":
      return String(node.value);
    case "variable":
      return node.name;
    case "unary":
      return `${node.operator}${textOf(node.operand)}`;
    case "binary":
      return `(${textOf(node.left)}${node.operator}${textOf(node.right)})`;
    case "choice":
      return `(${textOf(node.condition)}?${textOf(node.then)}:${textOf(node.otherwise)})`;
    case "call":
      return `${node.name}(${node.operands.map(textOf).join(",")})`;
  }
}

/** The comparisons of a condition that all hold: `a < b && c <= d` and `(a < b) & (c < d)`. */
export function guardsOf(condition: string): readonly Guard[] {
  return plainIndex(condition)
    .split(/&&?|\band\b/)
    .flatMap((part) => {
      const bare = part
        .trim()
        .replace(/^\(+(?=[^()]*<)/, "")
        .replace(/(?<=<[^()]*)\)+$/, "");
      const match = /^([^<>=]+)<\s*([A-Za-z_]\w*)$/.exec(bare.trim());
      return match === null ? [] : [{ left: at(match, 1).trim(), right: at(match, 2) }];
    });
}

/** What holds after `if (CONDITION) return;`: of `a >= n || b >= m` that a < n and b < m. */
export function guardsAfterExit(condition: string): readonly Guard[] {
  return plainIndex(condition)
    .split(/\|\|?|\bor\b/)
    .flatMap((part) => {
      const match = /^\(*\s*([^<>=()]+)>=\s*([A-Za-z_]\w*)\s*\)*$/.exec(part.trim());
      return match === null ? [] : [{ left: at(match, 1).trim(), right: at(match, 2) }];
    });
}
