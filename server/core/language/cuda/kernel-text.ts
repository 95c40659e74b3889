/** What holds no code of its own. */
const others =
  /\/\/(?:\\\r?\n|[^\n])*|\/\*[^]*?\*\/|R"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n]){1,4}'|^[ \t]*#(?:\\\r?\n|[^\n])*/gm;

/**
 * A CUDA text with spaces in place of comments, texts and directives, equal in length. Undefined where it has
 * raw texts, or directives that may hold a part of a kernel: a macro for `__global__`, or conditions inside of
 * braces.
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
  return parts.join("");
}
