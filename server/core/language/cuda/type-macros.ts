/** A macro that stands for a part of a type, or of a parameter list. */
interface TypeMacro {
  /** Undefined where it takes no arguments. */
  readonly parameters: readonly string[] | undefined;
  readonly body: string;
}

type TypeMacros = ReadonlyMap<string, TypeMacro>;

const definition = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(?:\(([^()\n]*)\))?((?:[^\n\\]|\\\r?\n|\\.)*)/gm;
const directive = /^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*/gm;
const comment = /\/\*[^]*?\*\/|\/\/[^\n]*/g;
/** What types and names are written with, and nothing else. */
const typeText = /^[\w\s*&:<>,]*$/;
/** What only a type has, or a list of parameters. */
const typeMark = /[*&,]|\b(?:const|volatile|__restrict__|__restrict|restrict)\b/;
const name = /[A-Za-z_]\w*/g;
/** Macros within macros. */
const mostNested = 8;

/**
 * The text with those macros expanded that stand for types where functions say what they take: `IN(float) a`
 * as `const float* a`. It is for reading: lines stay, columns do not. `texts`: the sources that may define
 * the macros. The same text where nothing is expanded.
 */
export function withPlainParameters(text: string, texts: readonly string[]): string {
  const macros = typeMacros(texts);
  if (macros.size === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of parameterLists(text)) {
    const list = text.slice(start, end);
    const plain = expanded(list, macros);
    if (start < done || plain === list) continue;
    parts.push(text.slice(done, start), plain);
    done = end;
  }
  return done === 0 ? text : [...parts, text.slice(done)].join("");
}

function typeMacros(texts: readonly string[]): TypeMacros {
  const found = new Map<string, TypeMacro>();
  for (const text of texts)
    for (const [, defined = "", list, written = ""] of text.matchAll(definition)) {
      const body = written
        .replace(/\\\r?\n/g, " ")
        .replace(comment, " ")
        .replace(/\s+/g, " ")
        .trim();
      const parameters = list?.split(",").map((each) => each.trim());
      if (!found.has(defined) && isOfTypes(body, parameters)) found.set(defined, { parameters, body });
    }
  return found;
}

function isOfTypes(body: string, parameters: readonly string[] | undefined): boolean {
  if (!typeText.test(body)) return false;
  if (body === "" || typeMark.test(body)) return true;
  const words: readonly string[] = body.match(name) ?? [];
  return parameters?.some((parameter) => words.includes(parameter)) === true;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The insides of the parentheses that stand before a body or, of a kernel's prototype, behind its name. */
function parameterLists(text: string): readonly Span[] {
  const blank = (part: string): string => part.replace(/[^\n]/g, " ");
  const code = text.replace(comment, blank).replace(directive, blank);
  const spans: Span[] = [];
  const open: number[] = [];
  for (const { 0: bracket, index } of code.matchAll(/[()]/g)) {
    if (bracket === "(") {
      open.push(index);
      continue;
    }
    const start = open.pop();
    const isOuter = open.length === 0;
    if (
      start !== undefined &&
      isOuter &&
      /^\)\s*(?:const\s*|noexcept\s*)?\{/.test(code.slice(index, index + 80))
    )
      spans.push({ start: start + 1, end: index });
  }
  return spans;
}

function expanded(text: string, macros: TypeMacros, used: ReadonlySet<string> = new Set()): string {
  if (used.size >= mostNested) return text;
  let result = "";
  let done = 0;
  for (const { 0: word, index } of text.matchAll(name)) {
    const macro = index < done || used.has(word) ? undefined : macros.get(word);
    if (macro === undefined) continue;
    const call = macro.parameters === undefined ? undefined : argumentsAt(text, index + word.length);
    if (macro.parameters !== undefined && call === undefined) continue;
    const inner = filled(macro, call?.values ?? []);
    result += `${text.slice(done, index)}${expanded(inner, macros, new Set([...used, word]))}`;
    done = call?.end ?? index + word.length;
  }
  return result + text.slice(done);
}

/** The body with the arguments in the places of the parameters; line ends of the arguments stay. */
function filled({ parameters = [], body }: TypeMacro, values: readonly string[]): string {
  return body.replace(name, (word) => {
    const position = parameters.indexOf(word);
    return position < 0 ? word : (values[position]?.trim() ?? word);
  });
}

/** The arguments of a macro, and where they end. */
function argumentsAt(
  text: string,
  from: number,
): { readonly values: readonly string[]; readonly end: number } | undefined {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  if (text[start] !== "(") return undefined;
  const values: string[] = [];
  let depth = 0;
  let begun = start + 1;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    const ends = depth === 0 || (depth === 1 && character === ",");
    if (!ends) continue;
    values.push(text.slice(begun, index));
    begun = index + 1;
    if (depth === 0) return { values, end: index + 1 };
  }
  return undefined;
}
