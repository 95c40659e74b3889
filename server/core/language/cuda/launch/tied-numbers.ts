import { evaluateSizeExpression, parseSizeExpression } from "../../../workload/size-expression";
import type { SizeNode } from "../../../workload/size-syntax";
import type { LaunchSite } from "../../facts";
import { bare, followed, mostCharacters, namesInSize } from "./sizes/size-text";

/** Whole numbers of a kernel that its host code computes from others that it passes. */
export interface TiedNumbers {
  /** By parameter an expression in other parameters. */
  readonly values: ReadonlyMap<string, string>;
  /** Parameters that are no sizes of a tensor and go with such sizes: of a window, or a step. */
  readonly lesser: ReadonlySet<string>;
}

/** What a launch computes from its other arguments, as `(rows - k) / step + 1`, in the kernel's own names. */
export function tiedNumbers(
  { arguments: passed, constants }: Pick<LaunchSite, "arguments" | "constants">,
  /** The kernel's parameters in order; undefined for what is no whole number. */
  numbers: readonly (string | undefined)[],
): TiedNumbers {
  const leaves = new Leaves();
  const { texts, owners } = passedNumbers({ arguments: passed, constants }, numbers, leaves);
  const values = new Map<string, string>();
  const lesser = new Set<string>();
  const givers = constantsAmong(numbers, { passed, constants, texts });
  numbers.forEach((name, index) => {
    const text = texts[index];
    if (name === undefined || text === undefined || owners.get(bare(text)) === name) return;
    const used = namesInSize(text);
    if (used === undefined || used.some((each) => !owners.has(each))) return;
    if (used.length === 0) {
      if (givers.has(name)) values.set(name, bare(text));
      return;
    }
    const own = bare(text).replace(/[A-Za-z_]\w*/g, (word) => owners.get(word) ?? word);
    if (own.length > mostCharacters || namesInSize(own) === undefined) return;
    values.set(name, own);
    for (const each of takenAway(own)) lesser.add(each);
    for (const each of besideExtents(used, leaves)) lesser.add(owners.get(each) ?? each);
  });
  return { values, lesser };
}

/** Names that are computed with sizes of tensors and are none. */
function besideExtents(used: readonly string[], leaves: Leaves): readonly string[] {
  return used.some(leaves.isExtent) ? used.filter((each) => !leaves.isExtent(each)) : [];
}

/**
 * Numbers that are constants of the source, passed by their names, from which others are computed: tiles, of
 * which a size has so many (`tiles = (n + Bc - 1) / Bc`). These belong together.
 */
function constantsAmong(
  numbers: readonly (string | undefined)[],
  {
    passed,
    constants,
    texts,
  }: {
    readonly passed: readonly string[];
    readonly constants: LaunchSite["constants"];
    readonly texts: readonly (string | undefined)[];
  },
): ReadonlySet<string> {
  const isComputed = (index: number): boolean => (namesInSize(texts[index] ?? "")?.length ?? 0) > 0;
  const used = numbers.flatMap((name, index) => {
    const written = bare(passed[index] ?? "");
    return name !== undefined && isComputed(index) ? wordsOf(constants[written] ?? written) : [];
  });
  return new Set(
    numbers.flatMap((name, index) => (used.includes(bare(passed[index] ?? "")) ? (name ?? []) : [])),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

/** Whole numbers that the text of a launch passes as they are or as constants of the source, by parameter. */
export function constantNumbers(
  site: Pick<LaunchSite, "arguments" | "constants">,
  numbers: readonly (string | undefined)[],
): Readonly<Record<string, number>> {
  const { texts } = passedNumbers(site, numbers, new Leaves());
  const found = numbers.flatMap((name, index): (readonly [string, number])[] => {
    const value = name === undefined ? undefined : evaluateSizeExpression(bare(texts[index] ?? ""), {});
    return name !== undefined && value?.ok === true && value.value > 0 ? [[name, value.value]] : [];
  });
  return Object.fromEntries(found);
}

/** What a launch passes for whole numbers. */
export function passedNumbers(
  { arguments: passed, constants }: Pick<LaunchSite, "arguments" | "constants">,
  numbers: readonly (string | undefined)[],
  leaves: Leaves,
): {
  /** For each number, followed to its ends. */
  readonly texts: readonly (string | undefined)[];
  /** The kernel's name of what is passed as it is. */
  readonly owners: ReadonlyMap<string, string>;
} {
  const meanings = { meaningOf: (name: string) => constants[name], named: leaves.inNames };
  const texts = numbers.map((name, index) =>
    name === undefined ? undefined : followed(passed[index] ?? "", meanings),
  );
  const owners = new Map<string, string>();
  numbers.forEach((name, index) => {
    const text = bare(texts[index] ?? "");
    if (name !== undefined && /^[A-Za-z_]\w*$/.test(text) && !owners.has(text)) owners.set(text, name);
  });
  return { texts, owners };
}

/** What an expression of C++ asks of an object, `x.size(2)`, as names of their own. */
export class Leaves {
  private readonly names = new Map<string, string>();

  readonly isExtent = (name: string): boolean =>
    [...this.names].some(([text, own]) => own === name && /\b(?:size|sizes|shape|numel)\b/.test(text));

  /** What a name stands for; the name itself where it is none of these. */
  readonly textOf = (name: string): string => [...this.names].find(([, own]) => own === name)?.[0] ?? name;

  readonly inNames = (text: string): string => text.replace(asked, (each) => this.named(each));

  private named(text: string): string {
    const plain = text.replace(/\s+/g, "");
    const known = this.names.get(plain) ?? `leaf_${this.names.size}_`;
    this.names.set(plain, known);
    return known;
  }
}

const asked = /\b[A-Za-z_]\w*(?:\s*(?:\.|->)\s*[A-Za-z_]\w*\s*(?:\(\s*-?\w*\s*\))?|\s*\[\s*\w+\s*\])+/g;

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
