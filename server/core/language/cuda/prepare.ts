import { at as element } from "../../base/known";

/**
 * Words that the CUDA grammar cannot read, with their parenthesised argument. They carry nothing that we
 * need, so they are blanked at equal length and every offset stays true.
 */
const calls =
  /\b(?:_Pragma|__align__|__attribute__|__declspec|__cluster_dims__|__block_size__|__maxnreg__|__annotate__)\s*\(/g;
/** Attributes of host code that say when it runs, and what it is kept from. */
const telling = /\b_*(?:constructor|ifunc|no_sanitize\w*)\b/;
const words = /\b(?:__nv_pure__|__device_builtin__|__builtin_align__|__global_attribute__|__extension__)\b/g;
/** Attributes of an extended lambda: `[=] __host__ __device__ (int i)`. */
const lambdaAttributes = /\]\s*((?:__(?:host|device|global)__\s*)+)(?=[({])/g;
/** A macro in place of a condition and its parentheses: `if WITHIN(x, n)`. */
const macroConditions = /\b(?:if|while)\s+([A-Z][A-Z0-9_]*)(?=\s*\()/g;
/** An upper-case macro that ends where the pattern ends: before `__global__`. */
const macroBefore = /\b[A-Z][A-Z0-9_]{2,}\s*$/;
/** What may stand between `__global__` and an upper-case macro that something else follows. */
const macroAfter =
  /^__global__(?:\s+(?:static|inline|void|extern|__launch_bounds__\s*\([^()]*\)))*\s+([A-Z][A-Z0-9_]{2,})\b\s*(\(?)/;

/** A pragma in front of the only statement of a loop or a branch, where the grammar reads a statement. */
const innerPragmas = /(?:\)|\belse)[ \t]*(?:\/\/[^\n]*)?\s*\n([ \t]*#[ \t]*pragma\b(?:\\\n|[^\n])*)/g;

/** Before a branch that goes on with what stands before it: `#ifdef BF16`, `else if …`, `#endif`. */
const elseBranches = /^[ \t]*#[ \t]*if[^\n]*\n(?=\s*(?:\}\s*)?else\b)/gm;

/** `kernel<<<{x, y}, {256}>>>`: the grammar reads no bare list there, but it reads one in parentheses. */
const bareLists = /<<<[^;]{0,500}?>>>/g;

/**
 * The text with everything blanked that breaks the grammar, the braces of a launch's bare lists made
 * parentheses and the alignment of structures in standard words; equal in length, line ends kept.
 */
export function prepareText(text: string): string {
  return withoutUnreadable(withStandardAlignment(text)).replace(bareLists, (launch) =>
    launch.replace(/(<<<|,)(\s*)\{([^{}]*)\}(?=\s*[,>])/g, "$1$2($3)"),
  );
}

/** `struct __align__(16) V` with the word that the grammar reads. */
function withStandardAlignment(text: string): string {
  return text.replace(
    /\b((?:struct|class|union)\s+)__align__(\s*\(\s*\d+\s*\))/g,
    (_, before: string, bytes: string) => `${before}alignas${bytes}  `,
  );
}

function withoutUnreadable(text: string): string {
  const spans = [
    ...callSpans(text),
    ...groupSpans(text, words, 0),
    ...groupSpans(text, lambdaAttributes, 1),
    ...groupSpans(text, macroConditions, 1),
    ...groupSpans(text, innerPragmas, 1),
    ...macroSpans(text),
    ...qualifierSpans(text),
    ...elseSpans(text),
  ];
  if (spans.length === 0) return text;
  spans.sort((a, b) => a[0] - b[0]);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of spans) {
    if (start < done) continue;
    parts.push(text.slice(done, start), text.slice(start, end).replace(/[^\r\n]/g, " "));
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

type Span = readonly [start: number, end: number];

function callSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(calls)) {
    const end = closingParenthesis(text, match.index + match[0].length - 1);
    if (end !== undefined && !telling.test(text.slice(match.index, end))) spans.push([match.index, end]);
  }
  return spans;
}

/**
 * Macros such as `LAUNCH_BOUNDS(256)` before `__global__` or between it and the kernel's name: the grammar
 * takes them for a type or a call.
 */
function macroSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf("__global__"); at >= 0; at = text.indexOf("__global__", at + 1)) {
    if (isDirective(text, at)) continue;
    const ahead = macroAfter.exec(text.slice(at, at + 500));
    if (ahead !== null) {
      const open = at + ahead[0].length - 1;
      const start = at + ahead[0].lastIndexOf(element(ahead, 1));
      const end = ahead[2] === "(" ? closingParenthesis(text, open) : start + element(ahead, 1).length;
      if (end !== undefined && /^\s*[A-Za-z_]/.test(text.slice(end, end + 200))) spans.push([start, end]);
    }
    const behind = text.slice(Math.max(0, at - 500), at).trimEnd();
    const open = behind.endsWith(")") ? openingParenthesis(behind) : undefined;
    const macro = open === undefined ? null : macroBefore.exec(behind.slice(0, open));
    const before = at - (text.slice(Math.max(0, at - 500), at).length - behind.length);
    const start = macro === null ? before : before - behind.length + macro.index;
    if (start < before && !isDirective(text, start)) spans.push([start, before]);
  }
  return spans;
}

/** True when the line of an offset is a directive of the preprocessor. */
function isDirective(text: string, at: number): boolean {
  return /^[ \t]*#/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
}

/**
 * The `void` behind a macro that stands for `__global__`: the grammar takes the macro for the type, and reads
 * no second one.
 */
function qualifierSpans(text: string): Span[] {
  const macros = [...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:\w+[ \t]+)*__global__/gm)];
  return macros.flatMap(([, name = ""]) =>
    groupSpans(text, new RegExp(`^[ \\t]*${name}\\s+(?:(?:static|inline)\\s+)*(void)\\b`, "gm"), 1),
  );
}

/**
 * The directives around an `else` whose `if` stands before them, where no others lie between: the grammar
 * reads a whole statement there alone.
 */
function elseSpans(text: string): Span[] {
  return [...text.matchAll(elseBranches)].flatMap((match): Span[] => {
    const inner = match.index + match[0].length;
    const next = /^[ \t]*#[ \t]*(?:(endif)|if|el)[^\n]*/m.exec(text.slice(inner));
    if (next?.[1] === undefined) return [];
    const start = inner + next.index;
    return [
      [match.index, inner],
      [start, start + next[0].length],
    ];
  });
}

/** Offset of the parenthesis that the last character of a text closes. */
function openingParenthesis(text: string): number | undefined {
  let depth = 0;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    if (text[index] === ")") depth += 1;
    if (text[index] === "(") depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

function groupSpans(text: string, pattern: RegExp, group: number): Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const found = element(match, group);
    const start = match.index + match[0].lastIndexOf(found);
    return [start, start + found.length];
  });
}

/**
 * Offset after the parenthesis that closes the one at `open`; undefined when it stays open within the next
 * thousand characters.
 */
function closingParenthesis(text: string, open: number): number | undefined {
  let depth = 0;
  const limit = Math.min(text.length, open + 1000);
  for (let index = open; index < limit; index += 1) {
    const character = text[index];
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}
