import type { Grammars, SyntaxNode } from "../../tree";
import { outerNodes } from "../definitions";
import { prepareText } from "../prepare";

/** Texts by path. */
type Texts = Readonly<Record<string, string>>;

/** The inside of a body, without its braces. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A function with one of these may be wanted by host code, or its body decides its type. */
const wantedByHost = /\b(?:__host__|constexpr|consteval|auto|decltype|friend)\b/;
/** Macros that may hide `__host__`, by the names that libraries give them. */
const hostMacro = /\b(?:[A-Z0-9_]*HOST[A-Z0-9_]*|HD|[A-Z0-9_]+_HD)\b/;
/** A directive that says how a loop is compiled, and nothing more. */
const unroll = /^[ \t]*#[ \t]*pragma[ \t]+(?:no)?unroll\b[\w \t()]*$/gm;
/** What stands in a body and reaches host code all the same: directives, variables that are registered. */
const reachesHost =
  /#|%:|\?\?=|\\\r?\n|\b(?:static|_Pragma|__host__|__device__|__constant__|__managed__|__global__)\b/;
/** With these a source sees its own text, or the words of CUDA mean something else. */
const looksAtItself =
  /\b(?:__COUNTER__|__BASE_FILE__|__INCLUDE_LEVEL__|incbin|embed)\b|(?:#|%:|\?\?=)[ \t]*include[ \t]+[A-Za-z_]/;
const redefines = /\b(?:define|undef)[ \t]+__(?:global|device|host)__\b/;
/** Host code that tells its own line. */
const tellsLines = /\b(?:__LINE__|assert)\b|\bsource_location\b/;
const definition = /\bdefine[ \t]+(\w+)/g;

/**
 * The texts without what only the device's half is made of. An edit inside of it leaves the result as it is,
 * and with it the host's machine code. When in doubt a body stays. `lines`: for each file the source's line
 * of each line that is left. `macros`: text with further definitions.
 */
export function hostHalf(
  grammars: Grammars,
  texts: Texts,
  macros = "",
): { readonly files: Texts; readonly lines: Readonly<Record<string, readonly number[]>> } {
  const all = [macros, ...Object.values(texts)];
  const isOdd = all.some((text) => looksAtItself.test(text) || redefines.test(text));
  const defined = new Set(all.flatMap((text) => [...text.matchAll(definition)].map(([, name = ""]) => name)));
  const parts = Object.entries(texts).map(([path, text]) => {
    const spans = isOdd ? [] : deviceBodies(grammars, text, defined);
    return { path, text, spans, half: without(text, spans) };
  });
  if (!parts.some(({ half }) => tellsLines.test(half)))
    return {
      files: Object.fromEntries(parts.map(({ path, half }) => [path, half])),
      lines: Object.fromEntries(parts.map(({ path, text, spans }) => [path, linesLeft(text, spans)])),
    };
  return {
    files: Object.fromEntries(parts.map(({ path, text, spans }) => [path, blanked(text, spans)])),
    lines: Object.fromEntries(parts.map(({ path, text }) => [path, linesLeft(text, [])])),
  };
}

/** Bodies of functions that are compiled for the device alone, in order. */
function deviceBodies(grammars: Grammars, text: string, macros: ReadonlySet<string>): readonly Span[] {
  if (!/__(?:global|device)__/.test(text)) return [];
  const tree = grammars.cuda.parse(prepareText(text));
  try {
    // Where a function ends is certain only in a text that is understood.
    if (tree.root.hasError) return [];
    return outerNodes(tree.root).flatMap(({ node }) => bodyOf(node, text, macros) ?? []);
  } finally {
    tree.dispose();
  }
}

function bodyOf(node: SyntaxNode, text: string, macros: ReadonlySet<string>): Span | undefined {
  const body = node.type === "function_definition" ? node.childForFieldName("body") : null;
  if (body?.type !== "compound_statement") return undefined;
  const head = text.slice(node.startIndex, body.startIndex);
  if (!/\b__(?:global|device)__\b/.test(head) || wantedByHost.test(head) || hostMacro.test(head))
    return undefined;
  const words = head.match(/\w+/g) ?? [];
  if (words.some((word) => macros.has(word))) return undefined;
  const inside = text.slice(body.startIndex + 1, body.endIndex - 1);
  if (reachesHost.test(inside.replace(unroll, ""))) return undefined;
  return { start: body.startIndex + 1, end: body.endIndex - 1 };
}

function without(text: string, spans: readonly Span[]): string {
  return replaced(text, spans, () => "");
}

/** Line ends stay. */
function blanked(text: string, spans: readonly Span[]): string {
  return replaced(text, spans, (inside) => inside.replace(/[^\n]+/g, ""));
}

function replaced(text: string, spans: readonly Span[], by: (inside: string) => string): string {
  let done = 0;
  const parts = spans.flatMap(({ start, end }) => {
    const before = text.slice(done, start);
    done = end;
    return [before, by(text.slice(start, end))];
  });
  return [...parts, text.slice(done)].join("");
}

/** The source's line of each line that is left. */
function linesLeft(text: string, removed: readonly Span[]): readonly number[] {
  const isRemoved = (index: number): boolean =>
    removed.some(({ start, end }) => start <= index && index < end);
  const left = [1];
  let line = 1;
  for (const { index } of text.matchAll(/\n/g)) {
    line += 1;
    if (!isRemoved(index)) left.push(line);
  }
  return left;
}
