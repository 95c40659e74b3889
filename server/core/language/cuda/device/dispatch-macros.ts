/** A macro that host code is an argument of: `DISPATCH_HEADS(n, HEADS, { … })`. */
interface DispatchMacro {
  readonly parameters: readonly string[];
  /** On one line. */
  readonly body: string;
}

const definition = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(([^()\n]*)\)((?:[^\n\\]|\\\r?\n|\\.)*)/gm;
const binds = /\busing\b|\bconstexpr\b|\btypedef\b|\bconst\b/;

/** The macros of texts that give names a meaning, by their names. */
export function dispatchMacros(texts: readonly string[]): ReadonlyMap<string, DispatchMacro> {
  const found = new Map<string, DispatchMacro>();
  for (const text of texts)
    for (const [, name = "", list = "", body = ""] of text.matchAll(definition)) {
      if (!binds.test(body)) continue;
      const parameters = list.split(",").map((each) => each.trim());
      found.set(name, { parameters, body: body.replace(/\\\r?\n/g, " ") });
    }
  return found;
}

/**
 * What a name that a macro around a place is passed is called in the macro's body: for each such macro, the
 * parameter and the body. `until`: where the place stands in the text.
 */
export function boundByMacros(
  name: string,
  { text, until }: { readonly text: string; readonly until: number },
  macros: ReadonlyMap<string, DispatchMacro>,
): readonly { readonly parameter: string; readonly body: string }[] {
  const before = text.slice(0, until);
  return [...macros].flatMap(([macro, { parameters, body }]) => {
    const start = lastUse(before, macro);
    const passed = start === undefined ? undefined : openArguments(before.slice(start));
    const parameter = parameters[passed?.indexOf(name) ?? -1];
    return parameter === undefined ? [] : [{ parameter, body }];
  });
}

/** Where the parenthesis of the last use of a macro stands; its definition is none. */
function lastUse(text: string, macro: string): number | undefined {
  const uses = [...text.matchAll(new RegExp(`(?<!#[ \\t]*define[ \\t]+)\\b${macro}\\s*\\(`, "g"))];
  const last = uses.at(-1);
  return last === undefined ? undefined : last.index + last[0].length - 1;
}

/** The arguments of a call that a text does not close, but for the one that it ends in; else undefined. */
function openArguments(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let begun = 1;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (depth === 0) return undefined;
    if (letter !== "," || depth > 1) continue;
    parts.push(text.slice(begun, index).trim());
    begun = index + 1;
  }
  return parts;
}
