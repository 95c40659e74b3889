import { operands, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import { onlyAssignment } from "../kernel";
import type { Words } from "./kernel-words";

/** How a kernel with a program for each row finds its elements: `program_id(0) * stride + columns`. */
export interface RowPlace {
  /** The program's number, which is the row's, in the host's words. */
  readonly row: string;
  /** What the row's number is multiplied by, in the host's words; "" where it is one. */
  readonly stride: string;
  /** The rest of the place, in the host's words. */
  readonly columns: string;
}

/** An element of a row, in a kernel's own words. */
export interface RowSite {
  readonly row: string;
  readonly columns: string;
}

interface Read {
  readonly kernel: TritonKernel;
  readonly words: Words;
}

const program = /^[\w.]*program_id\((?:axis=)?0\)$/;

/** Reads the terms of a place, without its pointer, as a row and columns; undefined where it is more. */
export function rowPlaceOf(read: Read, terms: readonly SyntaxNode[]): RowPlace | undefined {
  const isRow = (factor: SyntaxNode): boolean => program.test(read.words(factor));
  const [rows, ...more] = terms.filter((term) => factorsOf(read, term).some(isRow));
  if (rows === undefined || more.length > 0) return undefined;
  const factors = factorsOf(read, rows);
  const numbers = factors.filter(isRow);
  const [number] = numbers;
  const columns = terms.filter(({ id }) => id !== rows.id);
  const other = columns.some((term) => /program_id/.test(read.words(term)));
  if (number === undefined || numbers.length > 1 || other || columns.length === 0) return undefined;
  const stride = factors.filter(({ id }) => id !== number.id);
  return { row: read.words(number), stride: joined(read, stride, "*"), columns: joined(read, columns, "+") };
}

/** The same place in another kernel: which row it takes there; undefined where it is none of the kind. */
export function rowSiteOf(read: Read, terms: readonly SyntaxNode[], place: RowPlace): RowSite | undefined {
  const rows = new Map(terms.map((term) => [term, rowText(read, term, place)] as const));
  const columns = terms.filter((term) => rows.get(term) === undefined);
  const texts = [...rows.values()].flatMap((text) => text ?? []);
  if (texts.length === 0 || joined(read, columns, "+") !== place.columns) return undefined;
  return { row: texts.join(" + "), columns: columns.map(({ text }) => text).join(" + ") };
}

/** A term without the stride of the rows; undefined where it has lanes, or no such stride. */
function rowText(read: Read, term: SyntaxNode, { stride }: RowPlace): string | undefined {
  if (stride === "" || /arange/.test(read.words(term))) return undefined;
  const left = [...factorsOf(read, term)];
  for (const factor of stride.split("*")) {
    const at = left.findIndex((each) => read.words(each) === factor);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  if (left.length === 0) return "1";
  return left.map(({ text, type }) => (/operator$/.test(type) ? `(${text})` : text)).join(" * ");
}

/** The terms of an address, through names that are given once, as they stand in the kernel. */
export function termsIn({ kernel }: Pick<Read, "kernel">, node: SyntaxNode): readonly SyntaxNode[] {
  return partsIn(kernel, node, { operator: "+", depth: 0 });
}

function factorsOf({ kernel }: Read, node: SyntaxNode): readonly SyntaxNode[] {
  return partsIn(kernel, node, { operator: "*", depth: 0 });
}

/** Names that are followed into each other at most. */
const DEPTH = 6;

function partsIn(
  kernel: TritonKernel,
  node: SyntaxNode,
  { operator, depth }: { readonly operator: string; readonly depth: number },
): readonly SyntaxNode[] {
  return operands(node, operator).flatMap((part) => {
    const value =
      part.type === "identifier" && depth < DEPTH
        ? onlyAssignment(kernel.body, part.text)?.childForFieldName("right")
        : undefined;
    const isMore = value && operands(value, operator).length > 1;
    return isMore ? partsIn(kernel, unwrapped(value), { operator, depth: depth + 1 }) : [part];
  });
}

function joined({ words }: Read, nodes: readonly SyntaxNode[], operator: string): string {
  return nodes.map(words).sort().join(operator);
}
