const comment = /\/\/(?:\\\r?\n|[^\n])*|\/\*[^]*?\*\//;
const textOrLetter = /R"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n]){1,4}'/;
const directive = /^[ \t]*#(?:\\\r?\n|[^\n])*/;
/** What holds no code of its own. */
const others = new RegExp([comment, textOrLetter, directive].map(({ source }) => source).join("|"), "gm");

const comments = new RegExp(comment, "g");

/** How libraries call a macro of one of their headers that stands for `__global__`: `RAFT_KERNEL`. */
const macroMark = /\b[A-Z][A-Z0-9_]*_(?:KERNEL|GLOBAL)\b/;
const macroAlone = new RegExp(`^${macroMark.source}$`);

/** Whether a type is a macro for `__global__ void` by its name: what defines it need not be read. */
export function isMacroMark(type: string): boolean {
  return macroAlone.test(type);
}

/** Whether a text may define a kernel. */
export function mayHoldKernel(text: string): boolean {
  return text.includes("__global__") || macroMark.test(text);
}

/**
 * A CUDA text with spaces in place of comments, texts and directives, equal in length. Undefined where it has
 * raw texts, or a macro that may stand for `__global__`.
 */
export function codeOf(text: string): string | undefined {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: token, index } of text.matchAll(others)) {
    const isDirective = token.trimStart().startsWith("#");
    if (token === 'R"' || (isDirective && token.includes("__global__"))) return undefined;
    parts.push(text.slice(done, index), token.replace(/[^\n]/g, " "));
    done = index + token.length;
  }
  parts.push(text.slice(done));
  const code = parts.join("");
  return macroMark.test(code) ? undefined : code;
}

/** A CUDA text with one space in place of each comment: its last word would look like a part of the code. */
export function withoutComments(text: string): string {
  return text.replace(comments, " ");
}
