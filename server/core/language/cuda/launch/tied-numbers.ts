import { parseSizeExpression, variablesOf } from "../../../workload/size-expression";
import type { SizeNode } from "../../../workload/size-syntax";
import type { LaunchSite } from "../../facts";

/** Whole numbers of a kernel that its host code computes from others that it passes. */
export interface TiedNumbers {
  /** By parameter an expression in other parameters. */
  readonly values: ReadonlyMap<string, string>;
  /** Parameters that are no sizes of a tensor and go with such sizes: of a window, or a step. */
  readonly lesser: ReadonlySet<string>;
}

/** So often names in an expression are followed to what they stand for. */
const mostSteps = 8;
/** Longer expressions say less than a size of its own. */
const mostCharacters = 160;

/** What a launch computes from its other arguments, as `(rows - k) / step + 1`, in the kernel's own names. */
export function tiedNumbers(
  { arguments: passed, constants }: Pick<LaunchSite, "arguments" | "constants">,
  /** The kernel's parameters in order; undefined for what is no whole number. */
  numbers: readonly (string | undefined)[],
): TiedNumbers {
  const leaves = new Leaves();
  const texts = numbers.map((name, index) =>
    name === undefined ? undefined : expanded(passed[index] ?? "", constants, leaves),
  );
  const owners = new Map<string, string>();
  numbers.forEach((name, index) => {
    const text = bare(texts[index] ?? "");
    if (name !== undefined && /^[A-Za-z_]\w*$/.test(text) && !owners.has(text)) owners.set(text, name);
  });
  const values = new Map<string, string>();
  const lesser = new Set<string>();
  numbers.forEach((name, index) => {
    const text = texts[index];
    if (name === undefined || text === undefined || owners.get(bare(text)) === name) return;
    const used = namesIn(text);
    if (used === undefined || used.length === 0 || used.some((each) => !owners.has(each))) return;
    const own = bare(text).replace(/[A-Za-z_]\w*/g, (word) => owners.get(word) ?? word);
    if (own.length > mostCharacters || namesIn(own) === undefined) return;
    values.set(name, own);
    for (const each of takenAway(own)) lesser.add(each);
    const [ofTensors, others] = [used.filter(leaves.isExtent), used.filter((each) => !leaves.isExtent(each))];
    if (ofTensors.length > 0) for (const each of others) lesser.add(owners.get(each) ?? each);
  });
  return { values, lesser };
}

/** What an expression of C++ asks of an object, `x.size(2)`, as names of their own. */
class Leaves {
  private readonly names = new Map<string, string>();

  readonly isExtent = (name: string): boolean =>
    [...this.names].some(([text, own]) => own === name && /\b(?:size|sizes|shape|numel)\b/.test(text));

  named(text: string): string {
    const plain = text.replace(/\s+/g, "");
    const known = this.names.get(plain) ?? `leaf_${this.names.size}_`;
    this.names.set(plain, known);
    return known;
  }
}

const asked = /\b[A-Za-z_]\w*(?:\s*(?:\.|->)\s*[A-Za-z_]\w*\s*(?:\(\s*-?\w*\s*\))?|\s*\[\s*\w+\s*\])+/g;
const cast =
  /\bstatic_cast\s*<[^<>()]*>\s*(?=\()|\(\s*(?:const\s+)?(?:unsigned|signed|long|short|int|size_t|u?int\d+_t)(?:\s+\w+)*\s*\)/g;

/** An expression of which all names are followed to what host code computes them from. */
function expanded(
  text: string,
  constants: Readonly<Record<string, string>>,
  leaves: Leaves,
): string | undefined {
  let now = text;
  for (let step = 0; step < mostSteps; step += 1) {
    const plain = now
      .replace(cast, "")
      .replace(/\b(?:std|at|c10)::/g, "")
      .replace(asked, (each) => leaves.named(each));
    const next = plain.replace(/\b[A-Za-z_]\w*\b(?!\s*\()/g, (word) =>
      constants[word] === undefined ? word : `(${constants[word]})`,
    );
    if (next === plain) return plain;
    if (next.length > 4 * mostCharacters) return undefined;
    now = next;
  }
  return undefined;
}

/** Names that are only taken from others, or that others are divided by. */
function takenAway(text: string): readonly string[] {
  const parsed = parseSizeExpression(text);
  if (!parsed.ok) return [];
  const [plain, taken] = [new Set<string>(), new Set<string>()];
  const pending: { readonly node: SizeNode; readonly isTaken: boolean }[] = [
    { node: parsed.value, isTaken: false },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isTaken } = next;
    if (node.kind === "variable") (isTaken ? taken : plain).add(node.name);
    else if (node.kind === "unary") pending.push({ node: node.operand, isTaken });
    else if (node.kind === "call") pending.push(...node.operands.map((each) => ({ node: each, isTaken })));
    else if (node.kind === "binary")
      pending.push(
        { node: node.left, isTaken },
        { node: node.right, isTaken: isTaken || ["-", "/", "//"].includes(node.operator) },
      );
  }
  return [...taken].filter((name) => !plain.has(name));
}

/** The names in an expression of sizes; undefined where it is none. */
function namesIn(text: string): readonly string[] | undefined {
  const parsed = parseSizeExpression(text);
  return parsed.ok ? variablesOf(parsed.value) : undefined;
}

/** An expression without parentheses around the whole of it or around one name or number. */
function bare(text: string): string {
  let now = text.trim();
  for (;;) {
    const next = now.replace(/\(\s*([A-Za-z_]\w*|\d+)\s*\)/g, (whole, inner: string, at: number) =>
      /\w\s*$/.test(now.slice(0, at)) ? whole : inner,
    );
    if (next === now) break;
    now = next;
  }
  const isWhole = now.startsWith("(") && now.endsWith(")") && closesLast(now);
  return isWhole ? bare(now.slice(1, -1)) : now;
}

function closesLast(text: string): boolean {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}
