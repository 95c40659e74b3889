/** What only host code has: its libraries, and launches. */
const hostMark = /\b(?:torch|at|c10|py|pybind11)::|<<</;
/** Types of PyTorch's that device code has too. */
const sharedType = /\b(?:at|c10|torch)::(?:BFloat16|Half|Float8\w*|complex)\b/g;
const deviceMark = /\b(?:__global__|__device__|__constant__|__shared__)\b/;
/** Macros of PyTorch and pybind11 behind which a body stands. */
const moduleMacro = /^(?:TORCH|PYBIND11|STABLE_TORCH)_[A-Z0-9_]+$/;

const definition = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\([^)]*\)((?:[^\n\\]|\\\r?\n|\\.)*)/gm;
const useAtStart = /^[ \t]*([A-Za-z_]\w*)[ \t]*\(/gm;

function isOfHost(body: string): boolean {
  return hostMark.test(body.replace(sharedType, ""));
}

/** Names of the function-like macros that sources define and whose bodies are host code. */
export function hostMacros(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(definition)].flatMap(([, name = "", body = ""]) =>
        isOfHost(body) && !deviceMark.test(body) ? [name] : [],
      ),
    ),
  );
}

/** Names of the function-like macros that sources define and whose bodies are code of the device. */
export function codeMacros(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(definition)].flatMap(([, name = "", body = ""]) =>
      deviceMark.test(body) && !isOfHost(body) ? [name] : [],
    ),
  );
}

/**
 * The text with the uses of host macros blanked where they begin a line, and what PyTorch's macros make a
 * function of: a parser does not know that they end a declaration, and takes what follows for a part of them.
 */
export function withoutHostMacros(text: string, macros: ReadonlySet<string>): string {
  let result = text;
  for (const match of text.matchAll(useAtStart)) {
    const [used, name = ""] = match;
    if (!macros.has(name) && !moduleMacro.test(name)) continue;
    const end = endOfUse(text, match.index + used.length - 1, moduleMacro.test(name));
    if (end === undefined) continue;
    result = result.slice(0, match.index) + spaces(text.slice(match.index, end)) + result.slice(end);
  }
  return result;
}

/** Behind the arguments that begin at `open`, and behind a body where one follows. */
function endOfUse(text: string, open: number, hasBody: boolean): number | undefined {
  const closed = endOfBrackets(text, open);
  if (closed === undefined) return undefined;
  const [follows = ""] = /^\s*[;{]?/.exec(text.slice(closed)) ?? [];
  if (follows.endsWith(";")) return closed + follows.length;
  if (!hasBody || !follows.endsWith("{")) return closed;
  return endOfBrackets(text, closed + follows.length - 1);
}

/** Behind the bracket that closes the one at `open`; undefined where none does. */
function endOfBrackets(text: string, open: number): number | undefined {
  const token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[^]*?\*\/|[(){}]/g;
  token.lastIndex = open;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === "(" || found === "{") depth += 1;
    if (found === ")" || found === "}") depth -= 1;
    if (depth === 0) return match.index + found.length;
  }
  return undefined;
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
