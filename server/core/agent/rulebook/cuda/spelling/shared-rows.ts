import { at } from "../../../../base/known";
import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { isPure, localValues } from "../../../../language/cuda/body/scope";
import { collapse, operands, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import type { Spelling } from "./spelling";

export { rowsFollowed } from "./row-pointers";

/**
 * `__shared__ T tile[R * C]` with `tile[r * C + c]` as `tile[R][C]` with `tile[r][c]`. An element that is
 * counted through keeps its place by division.
 */
export const sharedRows: Spelling = (view) => {
  for (const array of arraysOf(view.body)) {
    const edits = array.storage === "shared" && array.sizes.length === 1 ? inRows(view, array) : undefined;
    if (edits !== undefined) return edits;
  }
  return undefined;
};

function inRows(view: KernelView, { accesses, sizes, escape }: KernelArray): readonly TextEdit[] | undefined {
  const size = at(sizes, 0);
  const length = view.scope.value(size);
  if (escape !== undefined || length === undefined || accesses.length === 0) return undefined;
  const places = accesses.map(({ indices }) => ({
    index: at(indices, 0),
    terms: termsOf(view, at(indices, 0)),
  }));
  const columns = widthIn(
    view,
    places.map(({ terms }) => terms),
  );
  if (columns === undefined || length % columns.value !== 0 || columns.value === length) return undefined;
  const edits = places.map(({ index, terms }) => placeIn(view, { index, terms, columns }));
  if (edits.some((edit) => edit === undefined)) return undefined;
  return [
    replaceNode(size, `${length / columns.value}][${columns.value}`),
    ...edits.flatMap((edit) => edit ?? []),
  ];
}

/** The terms of an index, a local of one value followed to what it stands for. */
function termsOf(view: KernelView, index: SyntaxNode): readonly SyntaxNode[] {
  const inner = unwrapped(index);
  const meaning = inner.type === "identifier" ? view.scope.meaning(inner.text) : undefined;
  const product = typeof meaning === "object" && operands(meaning, "+").length > 1;
  return product ? operands(meaning, "+") : operands(inner, "+");
}

interface Row {
  /** The term that is a multiple of the width, and its other factors. */
  readonly term: SyntaxNode;
  readonly number: readonly SyntaxNode[];
  readonly width: number;
}

/** `r * 32`, or `(r + 1) * WIDTH`; undefined for any other term. */
function rowIn(view: KernelView, terms: readonly SyntaxNode[]): Row | undefined {
  const rows = terms.flatMap((term): readonly Row[] => {
    const factors = operands(term, "*");
    const widths = factors.filter((factor) => (view.scope.value(factor) ?? 0) > 1);
    const [factor] = widths;
    const number = factors.filter((each) => each !== factor);
    const width = factor && view.scope.value(factor);
    return width === undefined || widths.length > 1 || number.length === 0 ? [] : [{ term, number, width }];
  });
  const [row, ...more] = rows;
  return more.length === 0 && terms.length > 1 ? row : undefined;
}

/** The width by which all places that have one are counted. */
function widthIn(
  view: KernelView,
  places: readonly (readonly SyntaxNode[])[],
): { readonly value: number } | undefined {
  const widths = new Set(places.flatMap((terms) => rowIn(view, terms)?.width ?? []));
  const [value] = widths;
  return value !== undefined && widths.size === 1 ? { value } : undefined;
}

interface Place {
  readonly index: SyntaxNode;
  readonly terms: readonly SyntaxNode[];
  readonly columns: { readonly value: number };
}

function placeIn(view: KernelView, { index, terms, columns }: Place): TextEdit | undefined {
  const row = rowIn(view, terms);
  const text = (node: SyntaxNode): string => collapse(node.text);
  if (row !== undefined) {
    const others = terms.filter((term) => term !== row.term);
    const number = row.number.map((factor) => (row.number.length > 1 ? grouped(factor) : text(factor)));
    return replaceNode(index, `${number.join(" * ")}][${others.map(grouped).join(" + ")}`);
  }
  const constant = view.scope.value(index);
  if (constant !== undefined)
    return replaceNode(index, `${Math.floor(constant / columns.value)}][${constant % columns.value}`);
  if (!isPure(index) || localValues(view.body).length === 0) return undefined;
  return replaceNode(index, `${grouped(index)} / ${columns.value}][${grouped(index)} % ${columns.value}`);
}

function grouped(node: SyntaxNode): string {
  const text = collapse(node.text);
  return /^(?:[\w.]+|\(.*\))$/.test(text) && !/\).*\(/.test(text) ? text : `(${text})`;
}
