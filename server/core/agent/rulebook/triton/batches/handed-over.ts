import { compact, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { parameterName } from "../../../../language/triton/names";
import type { TritonView } from "../kernel";
import { isWritten } from "./batch-loop";

/** A tensor that one turn of a loop leaves for the next under another name. */
export interface HandedOver {
  /** What the turn writes, and the name that the next turn reads it by. */
  readonly written: string;
  readonly read: string;
  /** Statements of the loop that this takes: the new names, and the memory for what is written. */
  readonly statements: readonly SyntaxNode[];
  /** What the host does behind the loop. */
  readonly behind: readonly string[];
}

/** `h = h_new`, `h, c = h_new, c_new` and `h, h_new = h_new, h` behind the launch in the body of its loop. */
export function handedOver(view: TritonView, loop: SyntaxNode): readonly HandedOver[] {
  const launch = view.launch.call.parent;
  return partsOf(loop.childForFieldName("body"))
    .filter((part) => launch !== null && part.startIndex > launch.endIndex)
    .flatMap((part) => handedBy(view, loop, part));
}

function handedBy(view: TritonView, loop: SyntaxNode, part: SyntaxNode): readonly HandedOver[] {
  const [, left, right] = /^\(?([\w,]+?)\)?=\(?([\w,]+?)\)?$/.exec(compact(part)) ?? [];
  const [reads, writes] = [left?.split(",") ?? [], right?.split(",") ?? []];
  if (reads.length !== writes.length) return [];
  const pairs = reads.map((read, place) => ({ read, written: writes[place] ?? "" }));
  const swapped = (pair: (typeof pairs)[number]): boolean =>
    pairs.some(({ read, written }) => read === pair.written && written === pair.read);
  const found = pairs
    .filter(({ written }) => writtenAs(view, written))
    .flatMap((pair) => handedPair(view, { loop, part, swaps: swapped(pair) }, pair) ?? []);
  const taken =
    found.length === pairs.filter((pair) => !swapped(pair) || writtenAs(view, pair.written)).length;
  return taken ? found : [];
}

interface Place {
  readonly loop: SyntaxNode;
  readonly part: SyntaxNode;
  /** True where both names change places, and none is made anew. */
  readonly swaps: boolean;
}

function handedPair(
  { host }: TritonView,
  { loop, part, swaps }: Place,
  { read, written }: { readonly read: string; readonly written: string },
): HandedOver | undefined {
  const made = partsOf(loop.childForFieldName("body")).filter((statement) =>
    new RegExp(`^${written}=`).test(compact(statement)),
  );
  const later = usesOf(host, written).some(({ startIndex }) => startIndex > loop.endIndex);
  // Behind a swap the other name is what the turn before the last one has left.
  if (swaps && (later || made.length > 0)) return undefined;
  const [maker] = swaps ? [] : made;
  const [begun, ...again] = valuesOf(host, written);
  if (begun === undefined || again.length > 0 || (!swaps && begun.parent?.id !== maker?.id)) return undefined;
  if (!isLike(host, compact(begun.childForFieldName("right")), read)) return undefined;
  return { written, read, statements: [part, ...made], behind: later ? [`${written} = ${read}`] : [] };
}

/** Assignments to the name alone. */
function valuesOf(host: SyntaxNode, name: string): readonly SyntaxNode[] {
  return host.descendantsOfType("assignment").filter((act) => act.childForFieldName("left")?.text === name);
}

/** True for memory of the type of a tensor, with no contents that differ from its own. */
function isLike(host: SyntaxNode, maker: string, read: string): boolean {
  if (maker === `torch.empty_like(${read})` || maker === `${read}.clone()`) return true;
  const others = valuesOf(host, read).map((act) => compact(act.childForFieldName("right")));
  const typeOf = (text: string): string | undefined => /\bdtype=([\w.]+)/.exec(text)?.[1];
  const own = typeOf(maker);
  const made = /^torch\.empty\(/.test(maker);
  return made && own !== undefined && others.some((text) => typeOf(text) === own);
}

/** True where the launch passes the name for a parameter that the kernel writes. */
function writtenAs(view: TritonView, name: string): boolean {
  const { launch, parameters } = view;
  const named = [...launch.keywords].find(([, node]) => node.text === name)?.[0];
  const place = launch.positional.findIndex((node) => node.text === name);
  const parameter = named ?? parameters[place]?.name;
  return parameter !== undefined && isWritten(view, parameter);
}

const factories =
  /^(?:torch\.(?:zeros|empty|ones|full|randn?)(?:_like)?\(.*\)|\w+\.new_\w+\(.*\)|.*\.clone\(\))$/;
const asked = /^(?:shape|stride|numel|size|device|dtype|ndim|dim)$/;

/** True where the host has made the tensor itself in front of a loop, and given it no other name. */
export function isFresh(host: SyntaxNode, loop: SyntaxNode, name: string): boolean {
  const parameters = partsOf(host.childForFieldName("parameters")).map(parameterName);
  const given = valuesOf(host, name).filter(({ endIndex }) => endIndex < loop.startIndex);
  const [made, ...others] = given;
  if (made === undefined || others.length > 0 || parameters.includes(name)) return false;
  const between = usesOf(host, name).filter(
    ({ startIndex }) => startIndex > made.endIndex && startIndex < loop.startIndex,
  );
  return between.every(isAsked) && factories.test(compact(made.childForFieldName("right")));
}

/** A use that gives the tensor no other name: of its shape, or as the model of another. */
function isAsked({ parent }: SyntaxNode): boolean {
  if (parent?.type === "attribute") return asked.test(parent.childForFieldName("attribute")?.text ?? "");
  const call = parent?.type === "argument_list" ? parent.parent : null;
  return /^torch\.(?:empty|zeros)_like$/.test(compact(call?.childForFieldName("function")));
}
