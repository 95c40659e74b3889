import { at } from "../base/known";
import type { ReferenceLanguage } from "./entry";

/** The call, still being written perhaps, that a place of a text is an argument of. */
export interface CallSite {
  /** As written, with namespaces or objects and without template arguments: `tl.load`, `ns::run`. */
  readonly callee: string;
  /** Offset at which `callee` begins. */
  readonly start: number;
  /** `kernel<<<…>>>(` and `kernel[grid](`. */
  readonly launch: boolean;
  /** Commas before the place, at the call's own level. */
  readonly argument: number;
  /** Python: the keyword that the argument is written with. */
  readonly keyword?: string;
}

interface Opened {
  readonly bracket: string;
  readonly offset: number;
  commas: number;
  /** Offset at which the present argument begins. */
  argumentStart: number;
}

/** Characters that are read before the place: a call that is longer has no help. */
const reach = 6000;

const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", ">>>": "<<<" };

/** What may not be split: comments, strings and characters, chevrons, brackets. */
const tokens: Readonly<Record<ReferenceLanguage, RegExp>> = {
  cuda: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|<<<|>>>|[()[\]{},;]/g,
  triton:
    /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[()[\]{},]/g,
};

/**
 * The innermost call around an offset. It reads tokens instead of the tree: while a call is written, its
 * brackets are open and the text does not parse.
 */
export function callAround(text: string, offset: number, language: ReferenceLanguage): CallSite | undefined {
  const from = lineStartBefore(text, offset - reach);
  const { open, closed } = bracketsOf(text.slice(from, offset), language);
  const call = open.findLast(({ bracket }) => bracket === "(");
  if (call === undefined || open.slice(open.indexOf(call) + 1).some(({ bracket }) => bracket === "<<<"))
    return undefined;
  const before = text.slice(from, from + call.offset);
  const callee = calleeBefore(before, closed);
  if (callee === undefined) return undefined;
  const keyword = /^\s*([A-Za-z_]\w*)\s*=(?!=)/.exec(text.slice(from + call.argumentStart, offset))?.[1];
  return {
    ...callee,
    start: from + callee.start,
    argument: call.commas,
    ...(keyword === undefined ? {} : { keyword }),
  };
}

function lineStartBefore(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset) + 1;
}

/** Brackets that are open at the end, and for each that was closed where it began, by where it ended. */
function bracketsOf(
  text: string,
  language: ReferenceLanguage,
): { readonly open: Opened[]; readonly closed: ReadonlyMap<number, number> } {
  const open: Opened[] = [];
  const closed = new Map<number, number>();
  for (const match of text.matchAll(tokens[language])) {
    const [token] = match;
    const opener = closers[token];
    const end = match.index + token.length;
    if (["(", "[", "{", "<<<"].includes(token))
      open.push({ bracket: token, offset: match.index, commas: 0, argumentStart: end });
    else if (opener !== undefined) close(open, opener, (start) => closed.set(end, start));
    else if (token === ";") open.length = open.findLastIndex(({ bracket }) => bracket === "{") + 1;
    else if (token === ",") nextArgument(open, end);
  }
  return { open, closed };
}

function close(open: Opened[], opener: string, matched: (start: number) => void): void {
  const index = open.findLastIndex(({ bracket }) => bracket === opener);
  if (index < 0) return;
  matched(at(open, index).offset);
  open.length = index;
}

function nextArgument(open: readonly Opened[], end: number): void {
  const innermost = open.at(-1);
  if (innermost === undefined) return;
  innermost.commas += 1;
  innermost.argumentStart = end;
}

function calleeBefore(
  before: string,
  closed: ReadonlyMap<number, number>,
): Pick<CallSite, "callee" | "start" | "launch"> | undefined {
  const end = before.trimEnd().length;
  const launch = before.endsWith(">>>", end) || before.endsWith("]", end);
  const nameEnd = launch ? (closed.get(end) ?? 0) : end;
  const nameFrom = Math.max(0, nameEnd - nameReach);
  const found = calleeForm.exec(before.slice(nameFrom, nameEnd));
  if (found === null) return undefined;
  const callee = at(found, 1).replace(/\s+/g, "");
  return notCalled.has(callee) ? undefined : { callee, start: nameFrom + found.index, launch };
}

/** Characters that a callee with its template arguments may have. */
const nameReach = 300;

/** A dotted or qualified name, with template arguments perhaps, at the end of a text. */
const calleeForm =
  /((?:[A-Za-z_]\w*\s*(?:::|\.)\s*)*[A-Za-z_]\w*)\s*(?:<[^<>;{}]*(?:<[^<>;{}]*>[^<>;{}]*)*>)?\s*$/;

/** Words before a parenthesis that is no call. */
const notCalled = new Set("if elif for while switch return sizeof and or not in lambda".split(" "));

/** The name that stands at an offset, with what it is a member of: `tl.load`, `threadIdx`. */
export function nameAt(
  text: string,
  offset: number,
): { readonly name: string; readonly start: number; readonly end: number } | undefined {
  const before = /(?:[A-Za-z_]\w*\.)*\w*$/.exec(text.slice(lineStartBefore(text, offset), offset))?.[0] ?? "";
  const after = /^\w*/.exec(text.slice(offset, offset + 200))?.[0] ?? "";
  const name = before + after;
  return /^[A-Za-z_]/.test(name) && !name.endsWith(".")
    ? { name, start: offset - before.length, end: offset + after.length }
    : undefined;
}
