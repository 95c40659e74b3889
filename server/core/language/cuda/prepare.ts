/**
 * Words that the CUDA grammar cannot read, with their parenthesised argument. They carry nothing that we need, so they are blanked at
 * equal length and every offset stays true.
 */
const calls = /\b(?:__align__|__attribute__|__declspec|__cluster_dims__|__block_size__|__maxnreg__|__annotate__)\s*\(/g;
const words = /\b(?:__nv_pure__|__device_builtin__|__builtin_align__|__global_attribute__|__extension__)\b/g;
/** Attributes of an extended lambda: `[=] __host__ __device__ (int i)`. */
const lambdaAttributes = /\]\s*((?:__(?:host|device|global)__\s*)+)(?=[({])/g;
/** A macro with an upper-case name between `__global__` and the kernel's own name. */
const macroBeforeName = /__global__(?:\s+(?:static|inline|void|extern|__launch_bounds__\s*\([^()]*\)))*\s+([A-Z][A-Z0-9_]{2,}(?:\s*\([^()]*\))?)(?=\s+[A-Za-z_])/g;

/** The text with everything blanked that breaks the grammar; equal in length, line ends kept. */
export function prepareText(text: string): string {
  const spans = [...callSpans(text), ...groupSpans(text, words, 0), ...groupSpans(text, lambdaAttributes, 1), ...groupSpans(text, macroBeforeName, 1)];
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
    if (end !== undefined) spans.push([match.index, end]);
  }
  return spans;
}

function groupSpans(text: string, pattern: RegExp, group: number): Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const found = match[group] ?? "";
    const start = match.index + match[0].lastIndexOf(found);
    return [start, start + found.length];
  });
}

/** Offset after the parenthesis that closes the one at `open`; undefined when it stays open within the next thousand characters. */
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
