/** A macro that stands for a part of a type, or of a parameter list; or another name of a type. */
interface TypeMacro {
  /** Undefined where it takes no arguments. */
  readonly parameters: readonly string[] | undefined;
  readonly body: string;
  /** Of another name of a type: the arguments that may be left out, by their places. */
  readonly defaults?: readonly string[];
}

type TypeMacros = ReadonlyMap<string, TypeMacro>;

const definition = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(?:\(([^()\n]*)\))?((?:[^\n\\]|\\\r?\n|\\.)*)/gm;
const directive = /^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*/gm;
const comment = /\/\*[^]*?\*\/|\/\/[^\n]*/g;
const aliasTemplate =
  /\btemplate\s*<([^<>;{}]*(?:<[^<>;{}]*>[^<>;{}]*)*)>\s*using\s+([A-Za-z_]\w*)\s*=\s*([^;{}]+);/g;
const plainAlias = /\b(?:using\s+[A-Za-z_]\w*\s*=|typedef\b)[^;{}]+;/g;
/** What may stand before another name of a type and belongs to it: `const views::`. */
const leading = /(\bconst\s+)?(?:\btypename\s+)?(?:(?:\b[A-Za-z_]\w*)?\s*::\s*)*$/;
/** What types and names are written with, and nothing else. */
const typeText = /^[\w\s*&:<>,]*$/;
/** What only a type has, or a list of parameters. */
const typeMark = /[*&,]|\b(?:const|volatile|__restrict__|__restrict|restrict)\b/;
const name = /[A-Za-z_]\w*/g;
/** Macros within macros. */
const mostNested = 8;

/**
 * The text with those macros and alias templates expanded that stand for types where functions say what they
 * take: `IN(float) a` and `In<float> a` as `const float* a`. It is for reading: lines stay, columns do not.
 * `texts`: the sources that may define them. The same text where nothing is expanded.
 */
export function withPlainParameters(text: string, texts: readonly string[]): string {
  const macros = new Map([...aliases(texts), ...typeMacros(texts)]);
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

/** Alias templates, and plain names of their instances; none that two sources or scopes say otherwise. */
function aliases(texts: readonly string[]): TypeMacros {
  const code = texts
    .filter((text) => /\b(?:using|typedef)\b/.test(text))
    .map((text) => text.replace(comment, " "))
    .join("\n");
  const templates = [...code.matchAll(aliasTemplate)].map(([, list = "", defined = "", written = ""]) => {
    const macro = list.includes("...") ? undefined : ofTypes(written, templateParameters(list));
    return { defined, macro };
  });
  const named = new Set(templates.map(({ defined }) => defined));
  if (named.size === 0) return new Map();
  const plain = [...code.replace(aliasTemplate, " ").matchAll(plainAlias)].flatMap(([statement]) => {
    const { defined, written } = plainParts(statement);
    const words: readonly string[] = written.match(name) ?? [];
    const isInstance = named.has(defined) || words.some((word) => named.has(word));
    return isInstance ? { defined, macro: ofTypes(written, { parameters: undefined, defaults: [] }) } : [];
  });
  return undisputed([...templates, ...plain]);
}

type Written = Pick<TypeMacro, "parameters" | "defaults">;

function ofTypes(written: string, about: Written): TypeMacro | undefined {
  const body = collapsed(written);
  return typeText.test(body) ? { ...about, body } : undefined;
}

/** `using Row = View<float, 1>;` and the same with `typedef`. */
function plainParts(statement: string): { readonly defined: string; readonly written: string } {
  const [, defined = "", meant = ""] = /^using\s+(\w+)\s*=([^;]*)/.exec(statement) ?? [];
  if (defined !== "") return { defined, written: meant };
  const [, typed = "", behind = ""] = /^typedef\s+([^;]*?)\s*\b(\w+)\s*;/.exec(statement) ?? [];
  return { defined: behind, written: typed };
}

/** Those that each of their definitions says the same of. */
function undisputed(
  all: readonly { readonly defined: string; readonly macro: TypeMacro | undefined }[],
): TypeMacros {
  const found = new Map<string, TypeMacro | undefined>();
  for (const { defined, macro } of all) {
    const isSame = !found.has(defined) || JSON.stringify(found.get(defined)) === JSON.stringify(macro);
    found.set(defined, isSame ? macro : undefined);
  }
  return new Map([...found].flatMap(([defined, macro]) => (macro ? [[defined, macro] as const] : [])));
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Parameters of a template by their names, and what they are where they are left out. */
function templateParameters(list: string): Written {
  const parts = argumentsAt(`<${list}>`, 0, "<")?.values ?? [];
  const split = parts.map((part) => part.split("="));
  return {
    parameters: split.map(([declared = ""]) => /\b[A-Za-z_]\w*\s*$/.exec(declared)?.[0].trim() ?? ""),
    defaults: split.map(([, value = ""]) => value.trim()),
  };
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
    const call = macro && callAt(text, index + word.length, macro);
    if (macro === undefined || call === undefined) continue;
    const values = call.values.map((value) => expanded(value, macros, used));
    const inner = expanded(filled(macro, values), macros, new Set([...used, word]));
    const before = text.slice(done, index);
    const whole = macro.defaults === undefined ? `${before}${inner}` : asType(before, inner);
    result += withLines(whole, text.slice(done, call.end));
    done = call.end;
  }
  return result + text.slice(done);
}

/** What a macro or an alias is given behind its name; undefined where it needs arguments and has none. */
function callAt(text: string, from: number, { parameters, defaults }: TypeMacro): Call | undefined {
  if (parameters === undefined) return { values: [], end: from };
  return argumentsAt(text, from, defaults === undefined ? "(" : "<");
}

/** A type in the place of its other name: what is said of the name, `const`, is said of the whole type. */
function asType(before: string, type: string): string {
  const [said = "", constant] = leading.exec(before) ?? [];
  const kept = before.slice(0, before.length - said.length);
  if (constant === undefined) return `${kept}${type}`;
  return /[*&]/.test(type) ? `${kept}${type} const` : `${kept}${constant}${type}`;
}

/** The text with as many ends of lines as another. */
function withLines(text: string, other: string): string {
  const lines = (each: string): number => each.split("\n").length;
  return text + "\n".repeat(Math.max(0, lines(other) - lines(text)));
}

/** The body with the arguments in the places of the parameters; line ends of the arguments stay. */
function filled({ parameters = [], body, defaults = [] }: TypeMacro, values: readonly string[]): string {
  const given = new Map<string, string>();
  const withGiven = (text: string): string => text.replace(name, (word) => given.get(word) ?? word);
  for (const [position, parameter] of parameters.entries()) {
    const [value = "", otherwise = ""] = [values[position]?.trim(), defaults[position]];
    const meant = value === "" ? withGiven(otherwise) : value;
    if (values[position] !== undefined || meant !== "") given.set(parameter, meant);
  }
  return withGiven(body);
}

interface Call {
  readonly values: readonly string[];
  readonly end: number;
}

/** The arguments of a macro or a template, and where they end. */
function argumentsAt(text: string, from: number, bracket: "(" | "<"): Call | undefined {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  if (text[start] !== bracket) return undefined;
  const values: string[] = [];
  const open: string[] = [];
  let begun = start + 1;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index] ?? "";
    nest(open, character, bracket);
    const ends = open.length === 0 || (open.length === 1 && character === ",");
    if (!ends) continue;
    values.push(text.slice(begun, index));
    begun = index + 1;
    if (open.length === 0) return { values, end: index + 1 };
  }
  return undefined;
}

/** Keeps count of the brackets that are open: between parentheses, and in macros, `<` compares. */
function nest(open: string[], character: string, bracket: "(" | "<"): void {
  const within = open.at(-1);
  const opens = character === "(" || (character === "<" && bracket === "<" && within !== "(");
  if (opens) open.push(character);
  else if (character === ")" || (character === ">" && within === "<")) open.pop();
}
