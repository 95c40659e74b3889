import { collapse, compact, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { positional } from "../kernel";

/** A loop of the host around a launch. */
export interface Turn {
  readonly loop: SyntaxNode;
  /** The name that counts from 0; undefined where the loop goes over elements alone. */
  readonly number: string | undefined;
  /** Every name that the loop gives a value. */
  readonly names: readonly string[];
  /** Names that are elements, with what they are elements of. */
  readonly elements: ReadonlyMap<string, string>;
  /** How many turns there are, in the host's words. */
  readonly count: string;
  /** `i in range(n)`, as it is written. */
  readonly head: string;
}

/** What a loop goes over: a sequence for each name, and how many turns that makes. */
interface Sequences {
  readonly names: readonly SyntaxNode[];
  readonly sequences: readonly SyntaxNode[];
}

/**
 * Reads `for i in range(n)`, `for row in x`, `for i, row in enumerate(x)` and `for a, b in zip(x, y)`;
 * undefined for any other loop.
 */
export function turnOf(loop: SyntaxNode): Turn | undefined {
  const [target, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
  if (!target || !range || loop.childForFieldName("alternative")) return undefined;
  const names = target.type === "identifier" ? [target.text] : identifiersIn(target);
  const head = `${collapse(target.text)} in ${collapse(range.text)}`;
  const counted = target.type === "identifier" ? countOf(range) : undefined;
  if (counted !== undefined)
    return { loop, names, head, number: target.text, elements: new Map(), count: counted };
  const numbered = numberedIn(target, range);
  const found = numbered && sequencesOf(numbered.pattern, numbered.range);
  if (found === undefined) return undefined;
  const lengths = found.sequences.map(({ text }) => `len(${text})`);
  const count = lengths.length === 1 ? lengths.join() : `min(${lengths.join(", ")})`;
  return { loop, names, head, number: numbered?.number, elements: elementsOf(found), count };
}

/** `i, row in enumerate(x)` in its parts; without a number, and as it is, any other. */
function numberedIn(target: SyntaxNode, range: SyntaxNode) {
  const [outer] = calledWith(range, "enumerate") ?? [];
  if (outer === undefined) return { number: undefined, pattern: target, range };
  const [number, pattern, ...more] = partsOf(target);
  const fits = number?.type === "identifier" && pattern !== undefined && more.length === 0;
  return fits ? { number: number.text, pattern, range: outer } : undefined;
}

function elementsOf({ names, sequences }: Sequences): ReadonlyMap<string, string> {
  const pairs = names.map((name, place) => [name, sequences[place]?.text ?? ""] as const);
  return new Map(
    pairs.flatMap(([name, of]) => (name.type === "identifier" ? [[name.text, of] as const] : [])),
  );
}

function identifiersIn(target: SyntaxNode): readonly string[] {
  return target.descendantsOfType("identifier").map(({ text }) => text);
}

/** The end of `range(end)` and `range(0, end)`. */
function countOf(range: SyntaxNode): string | undefined {
  const given = calledWith(range, "range");
  const [first, second, step] = given ?? [];
  if (given === undefined || step !== undefined) return undefined;
  if (second !== undefined && first?.text !== "0") return undefined;
  const end = second ?? first;
  return end && collapse(end.text);
}

/** What a call of a function of Python's own is given; undefined for anything else. */
function calledWith(node: SyntaxNode, name: string): readonly SyntaxNode[] | undefined {
  const isCall = node.type === "call" && compact(node.childForFieldName("function")) === name;
  return isCall ? positional(node) : undefined;
}

function sequencesOf(pattern: SyntaxNode, range: SyntaxNode): Sequences | undefined {
  const zipped = calledWith(range, "zip");
  const sequences = zipped ?? [range];
  const names = zipped === undefined ? [pattern] : partsOf(pattern);
  const plain = sequences.every(({ type }) => type === "identifier" || type === "attribute");
  return plain && names.length === sequences.length && names.length > 0 ? { names, sequences } : undefined;
}
