import { known } from "../../../../base/known";
import { partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonLaunch } from "../../../../language/triton/launches";
import { isNot, not, type RuleHold } from "../../rule";
import { combiningCalls, isCallOf, positional, type TritonView } from "../kernel";
import { dependencesOf } from "../spread/dependence";
import { isMemberName } from "./renaming";
import { hostWords } from "./host-words";
import { type RowPlace, rowPlaceOf, type RowSite, termsIn } from "./row-place";
import { type Stage, type StageAccess, stageOf } from "./stage";

/**
 * A kernel whose every element is worked out from elements at the same place, or at places that follow from
 * it.
 */
export interface Pointwise extends Stage {
  /** The store of the tensor that is passed on, or the first store. */
  readonly store: StageAccess;
  /** Where a program works on a row of its own: how it finds the row's elements. */
  readonly rows: RowPlace | undefined;
  /** True for an expression that is worth the element's place. */
  readonly isPlace: (node: SyntaxNode) => boolean;
  /** Names that tell places, masks and parts of them. */
  readonly places: ReadonlySet<string>;
}

/** Reads a launch as that of a pointwise kernel; a guard's answer where an element needs more. */
export function pointwiseOf(view: TritonView, launch: TritonLaunch): Pointwise | RuleHold {
  const stage = stageOf(view, launch);
  if (isNot(stage)) return stage;
  const { kernel, stores } = stage;
  const { name } = kernel.facts;
  const [store, ...others] = stores;
  if (store === undefined || others.length > 0)
    return not("no-rewrite", `${name} does not store one tensor`, launch.call);
  const branch = kernel.body.descendantsOfType(["if_statement", "for_statement", "while_statement"])[0];
  if (branch !== undefined) return not("no-rewrite", `${name} is no straight code`, branch);
  const [combining] = combiningCalls(view, kernel.body);
  if (combining !== undefined) return not("cooperation", `${name} combines elements`, combining);
  const place = offsetOf(view, stage, store);
  const isPlace = (node: SyntaxNode): boolean =>
    /^(identifier|binary_operator|parenthesized_expression)$/.test(node.type) &&
    stage.terms(node).join(" + ") === place;
  const away = stage.loads.find(
    (load) => offsetOf(view, stage, load) !== place && !holdsPlace(load, isPlace),
  );
  const rows = away && rowsOf(stage, store);
  if (away !== undefined && rows === undefined)
    return not("dependence", `${name} needs elements at other places`, away.call);
  const odd = stage.loads.find(
    ({ mask }) => mask !== undefined && stage.words(mask) !== (store.mask && stage.words(store.mask)),
  );
  if (odd !== undefined)
    return not("dependence", `${name} loads under another mask than it stores`, odd.call);
  return { ...stage, store, rows, isPlace, places: placeNames(view, stage) };
}

/** How a kernel with a program for each row, and a mask for columns alone, finds what it stores. */
function rowsOf({ kernel, words }: Stage, { call, parameter, mask }: StageAccess): RowPlace | undefined {
  if (mask !== undefined && /program_id/.test(words(mask))) return undefined;
  const [address] = positional(call);
  const terms = address === undefined ? [] : termsIn({ kernel }, address);
  return rowPlaceOf(
    { kernel, words },
    terms.filter(({ text }) => text !== parameter),
  );
}

/** The terms of an address but its pointer. */
function offsetOf(view: TritonView, stage: Stage, { call, parameter }: StageAccess): string {
  const [address] = positional(call);
  const passed = stage.passed.get(parameter);
  const pointer = passed === undefined ? parameter : hostWords(passed, view);
  return address === undefined
    ? ""
    : stage
        .terms(address)
        .filter((term) => term !== pointer)
        .join(" + ");
}

/** `pointer + place % columns`. */
function holdsPlace({ call }: StageAccess, isPlace: (node: SyntaxNode) => boolean): boolean {
  const [address] = positional(call);
  return (
    !!address && address.descendantsOfType("identifier").some((node) => !isMemberName(node) && isPlace(node))
  );
}

/** Names of the kernel that are made of the numbers of programs and lanes alone. */
function placeNames(view: TritonView, { kernel }: Stage): ReadonlySet<string> {
  const of = dependencesOf({ ...view, body: kernel.body }, (node) => {
    if (isCallOf(view, node, "load")) return { programs: false, lanes: false };
    const numbers = isCallOf(view, node, "program_id") || isCallOf(view, node, "arange");
    return numbers ? { programs: true, lanes: true } : undefined;
  });
  const names = kernel.body
    .descendantsOfType("assignment")
    .flatMap((act) => act.childForFieldName("left") ?? [])
    .filter((left) => left.type === "identifier" && of(left).programs);
  return new Set(names.map(({ text }) => text));
}

/** Where a pointwise kernel's work is written in another one. */
interface Site {
  /** A name for the place of the elements there. */
  readonly index: string;
  /** The row and its columns there, for a kernel with a program for each row. */
  readonly row?: RowSite | undefined;
  /** The mask there. */
  readonly mask: string | undefined;
  /** The value of the tensor that is passed on, by its parameter, where it is at hand. */
  readonly given: ReadonlyMap<string, string>;
  /** New names of parameters and locals. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The kernel's statements for the site; the last is the store, or undefined where a statement cannot move.
 */
export function writtenAt(view: TritonView, pointwise: Pointwise, site: Site): readonly string[] | RuleHold {
  const { source } = view;
  const lines: string[] = [];
  for (const statement of partsOf(pointwise.kernel.body).filter((part) => isWork(pointwise, site, part))) {
    const made = written(source, { view, pointwise, site }, statement);
    if (made === undefined)
      return not("no-rewrite", "a value is made of the place of its element in another way", statement);
    lines.push(made);
  }
  return lines;
}

/** A statement that works out or stores a value: no documentation, no place and no mask. */
function isWork(pointwise: Pointwise, site: Site, statement: SyntaxNode): boolean {
  const [part] = partsOf(statement);
  if (part === undefined || part.type === "string" || part.type === "augmented_assignment") return false;
  const left = part.type === "assignment" ? part.childForFieldName("left") : undefined;
  if (left?.type !== "identifier" || !pointwise.places.has(left.text)) return true;
  return site.row !== undefined && partOfRow(pointwise, site, left) === undefined;
}

/** A part of a row's place or its mask, as the site has it; undefined for what is none. */
function partOfRow({ rows, store, words }: Pointwise, site: Site, node: SyntaxNode): string | undefined {
  const isPart = /^(identifier|call|binary_operator|comparison_operator)$/.test(node.type);
  if (rows === undefined || site.row === undefined || !isPart) return undefined;
  const own = words(node);
  if (own === rows.row) return site.row.row;
  if (own === rows.columns || own === `(${rows.columns})`) return site.row.columns;
  return store.mask !== undefined && site.mask !== undefined && own === words(store.mask)
    ? `(${site.mask})`
    : undefined;
}

interface Writing {
  readonly view: TritonView;
  readonly pointwise: Pointwise;
  readonly site: Site;
}

/**
 * The text of a node with the site's place, mask and names; undefined where it needs another part of the
 * place.
 */
function written(source: string, writing: Writing, node: SyntaxNode): string | undefined {
  const { view, pointwise, site } = writing;
  const { loads, store } = pointwise;
  const access = [...loads, store].find(({ call }) => call.id === node.id);
  if (access !== undefined) return accessAt(source, writing, access);
  const part = partOfRow(pointwise, site, node);
  if (part !== undefined && !isMemberName(node)) return part;
  if (node.type === "identifier") {
    if (isMemberName(node)) return node.text;
    if (site.row !== undefined) return site.names.get(node.text) ?? node.text;
    if (pointwise.isPlace(node)) return site.index;
    return pointwise.places.has(node.text) ? undefined : (site.names.get(node.text) ?? node.text);
  }
  if (site.row === undefined && pointwise.isPlace(node)) return site.index;
  if (isCallOf(view, node, "arange") || isCallOf(view, node, "program_id")) return undefined;
  return childrenAt(source, writing, node);
}

function childrenAt(source: string, writing: Writing, node: SyntaxNode): string | undefined {
  let text = "";
  let at = node.startIndex;
  for (const child of node.children) {
    const made = child.children.length === 0 && !child.isNamed ? child.text : written(source, writing, child);
    if (made === undefined) return undefined;
    text += source.slice(at, child.startIndex) + made;
    at = child.endIndex;
  }
  return text + source.slice(at, node.endIndex);
}

/** A load or store at the site's place, under its mask. */
function accessAt(source: string, writing: Writing, access: StageAccess): string | undefined {
  const { view, pointwise, site } = writing;
  const { call, parameter } = access;
  const isStore = access === pointwise.store;
  const value = site.given.get(parameter);
  if (!isStore && value !== undefined) return value;
  const [address, stored] = positional(call);
  if (address === undefined) return undefined;
  const pointer = site.names.get(parameter) ?? parameter;
  const same =
    site.row === undefined &&
    offsetOf(view, pointwise, access) === offsetOf(view, pointwise, pointwise.store);
  const where = same ? `${pointer} + ${site.index}` : written(source, writing, address);
  const what = isStore ? written(source, writing, known(stored, "the value of a store")) : "";
  if (where === undefined || what === undefined) return undefined;
  const others = partsOf(call.childForFieldName("arguments")).filter(
    (node) =>
      node.type === "keyword_argument" && !/^(mask|other)$/.test(node.childForFieldName("name")?.text ?? ""),
  );
  // A value of the whole row has no mask, and is given none.
  const unmasked = site.mask === undefined || (site.row !== undefined && access.mask === undefined);
  const mask = unmasked ? [] : [`mask=${site.mask}`];
  const given = [where, ...(what === "" ? [] : [what]), ...mask, ...others.map(({ text }) => text)];
  return `${known(call.childForFieldName("function"), "what a call calls").text}(${given.join(", ")})`;
}
