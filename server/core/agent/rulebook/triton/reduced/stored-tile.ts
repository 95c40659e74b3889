import { compact, operands, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import {
  isCallOf,
  languageCalls,
  launchValue,
  maskOf,
  onlyAssignment,
  positional,
  type TritonView,
} from "../kernel";
import { addressTerms } from "../spread/address";
import { dependencesOf } from "../spread/dependence";
import { isAxis } from "../spread/programs";

/** One side of a tile: its indices, without what turns them to a column or a row. */
interface TileSide {
  readonly indices: SyntaxNode;
  /** The axis of the tile that they go along. */
  readonly along: 0 | 1;
  /** The axis of the grid whose programs they tell apart. */
  readonly grid: number;
  /** How many there are, in the kernel's words. */
  readonly length: string;
}

/** The only store of a kernel, of a tile of a matrix. */
export interface StoredTile {
  readonly store: SyntaxNode;
  readonly parameter: string;
  readonly value: SyntaxNode;
  readonly mask: SyntaxNode | undefined;
  /** By the dimensions of the matrix. */
  readonly sides: readonly [TileSide, TileSide];
}

/** Reads the tile that each program stores; a guard's answer where it stores anything else. */
export function storedTile(view: TritonView): StoredTile | RuleHold {
  const store = onlyStore(view);
  if (isNot(store)) return store;
  const [address, value] = positional(store);
  if (address === undefined || value === undefined) return not("unreadable", "the store is not read", store);
  const terms = addressTerms(view, address);
  const parameter = view.parameters.find(
    ({ name, pointer }) => pointer && terms.some(({ text }) => text === name),
  );
  const [one, two, ...more] = terms.filter(({ text }) => text !== parameter?.name);
  if (parameter === undefined || one === undefined || two === undefined || more.length > 0)
    return not("no-pattern", "the store's address is no row and no column of a matrix", store);
  const sides = sidesOf(view, one, two);
  if (sides === undefined)
    return not("no-pattern", "rows and columns do not each have programs of their own", store);
  return { store, parameter: parameter.name, value, mask: maskOf(view, store), sides };
}

/** The only store of the kernel, outside of loops and conditions. */
function onlyStore(view: TritonView): SyntaxNode | RuleHold {
  const [store, ...others] = languageCalls(view, ["store"]);
  const atomic = view.body.descendantsOfType("call").find(({ text }) => /^[\w.]+\.atomic_/.test(text));
  const [other] = [...others, ...(atomic === undefined ? [] : [atomic])];
  if (store === undefined || other !== undefined)
    return not("no-pattern", "the kernel stores more than one tile", other ?? view.line);
  const statement = store.parent;
  return statement?.type === "expression_statement" && statement.parent?.id === view.body.id
    ? store
    : not("no-pattern", "the store stands in a loop or a condition", store);
}

/** Both sides of the tile by the dimensions of the matrix, where it is told which is the last one. */
function sidesOf(view: TritonView, one: SyntaxNode, two: SyntaxNode): StoredTile["sides"] | undefined {
  const [first, second] = [sideOf(view, one), sideOf(view, two)];
  if (first === undefined || second === undefined) return undefined;
  if (first.along === second.along || first.grid === second.grid) return undefined;
  if (isUnit(view, one) === isUnit(view, two)) return undefined;
  return isUnit(view, one) ? [second, first] : [first, second];
}

/** `cols[None, :]` as it is, or times what the launch passes as the stride of the last dimension. */
function isUnit(view: TritonView, term: SyntaxNode): boolean {
  return operands(term, "*")
    .map(unwrapped)
    .filter((factor) => sliceIn(factor) === undefined)
    .every((factor) => {
      const passed = compact(launchValue(view, factor.text) ?? factor);
      return passed === "1" || /\.stride\((?:1|-1)\)$/.test(passed);
    });
}

function sideOf(view: TritonView, term: SyntaxNode): TileSide | undefined {
  const slices = operands(term, "*").flatMap((factor) => sliceIn(unwrapped(factor)) ?? []);
  const [slice, ...others] = slices;
  if (slice === undefined || others.length > 0) return undefined;
  const grid = [0, 1, 2].filter((axis) => {
    const of = dependencesOf(view, (node) =>
      isCallOf(view, node, "program_id") ? { programs: isAxis(node, axis), lanes: false } : undefined,
    );
    return of(slice.indices).programs;
  });
  const [axis, ...more] = grid;
  const length = lengthOf(view, slice.indices, 0);
  return axis === undefined || more.length > 0 || length === undefined
    ? undefined
    : { ...slice, grid: axis, length };
}

/** `rows[:, None]`, be it of another type. */
function sliceIn(node: SyntaxNode): Pick<TileSide, "indices" | "along"> | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  const converted = callee?.type === "attribute" && callee.childForFieldName("attribute")?.text === "to";
  const inner = converted ? callee.childForFieldName("object") : node;
  const indices = inner?.type === "subscript" ? inner.childForFieldName("value") : null;
  const which = inner === null ? "" : compact(inner).slice(compact(indices).length);
  if (!indices || !/^\[(?::,None|None,:)\]$/.test(which)) return undefined;
  return { indices: unwrapped(indices), along: which === "[:,None]" ? 0 : 1 };
}

/** The length of the one `tl.arange(0, BLOCK)` that indices are made of. */
function lengthOf(view: TritonView, node: SyntaxNode, depth: number): string | undefined {
  const own = [node, ...node.descendantsOfType("call")].filter((call) => isCallOf(view, call, "arange"));
  const followed = node.descendantsOfType("identifier").flatMap(({ text }) => {
    const value = depth > 4 ? undefined : onlyAssignment(view.body, text)?.childForFieldName("right");
    return value ? (lengthOf(view, value, depth + 1) ?? []) : [];
  });
  const found = new Set([...own.flatMap((call) => positional(call)[1]?.text ?? []), ...followed]);
  const [length] = found;
  return found.size === 1 ? length : undefined;
}

/** The part of a mask that belongs to one side, as indices' own: `rows < n` of `(rows[:, None] < n) & …`. */
export function maskOfSide(
  view: TritonView,
  { mask }: StoredTile,
  side: TileSide,
): string | undefined | RuleHold {
  if (mask === undefined) return undefined;
  const named =
    mask.type === "identifier" ? onlyAssignment(view.body, mask.text)?.childForFieldName("right") : mask;
  const slice = side.along === 0 ? /\[\s*:\s*,\s*None\s*\]/g : /\[\s*None\s*,\s*:\s*\]/g;
  const other = side.along === 0 ? /\[\s*None\s*,\s*:\s*\]/ : /\[\s*:\s*,\s*None\s*\]/;
  const parts = operands(named ?? mask, "&").map(({ text }) => text);
  const own = parts.filter((text) => text.search(slice) >= 0);
  if (own.some((text) => other.test(text)))
    return not("no-rewrite", "the mask tells rows and columns together", mask);
  const plain = own.map((text) => `(${text.replaceAll(slice, "")})`);
  return plain.length === 0 ? undefined : plain.join(" & ");
}
