import { descendants, enclosing } from "../query";
import type { SyntaxNode } from "../tree";

/** Why a place that a rule meets is none: the rule names it as `unless`. */
export const harmless = {
  "only told": (node: SyntaxNode, name: string, root: SyntaxNode): boolean => isOnlyTold(node, name, root),
  "optional import": (node: SyntaxNode): boolean => isOptionalImport(node),
  "own names": (node: SyntaxNode, _name: string, root: SyntaxNode): boolean => pastesOwnNames(node, root),
} as const;

export type Harmless = keyof typeof harmless;

/** Calls that only tell somebody of what they are given. */
const telling = /^(print|(?<module>\w+)\.(debug|info|warning|error|log))$/;
/** What may stand between a name and the call that tells of it. */
const transparent: ReadonlySet<string> = new Set([
  "argument_list",
  "attribute",
  "format_expression",
  "interpolation",
  "keyword_argument",
  "string",
  "subscript",
]);

/** Ways to a variable that do not name it. */
const byText = /\b(globals|vars|locals|getattr|eval|exec)\(|\bsys\.modules\b|\b__dict__\b/;

/** Whether a count that is kept between calls is told at most, and decides nothing. */
function isOnlyTold(counting: SyntaxNode, name: string, root: SyntaxNode): boolean {
  if (byText.test(root.text)) return false;
  return descendants(root, "identifier")
    .filter(({ text }) => text === name)
    .every((use) => isIn(use, counting) || isFirstValue(use) || isToldOf(use, root));
}

function isIn(node: SyntaxNode, outer: SyntaxNode): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** The assignment, outside of all functions, that gives the first value. */
function isFirstValue(use: SyntaxNode): boolean {
  const { parent } = use;
  const isTarget = parent?.type === "assignment" && parent.childForFieldName("left")?.id === use.id;
  return (
    (isTarget && enclosing(use, "function_definition") === undefined) || parent?.type === "global_statement"
  );
}

function isToldOf(use: SyntaxNode, root: SyntaxNode): boolean {
  let around = use.parent;
  while (around !== null && transparent.has(around.type)) around = around.parent;
  if (around?.type !== "call") return false;
  const called = around.childForFieldName("function")?.text ?? "";
  const found = telling.exec(called);
  const module = found?.groups?.["module"];
  return found !== null && (module === undefined || isLogger(module, root));
}

/** Whether a name stands for Python's `logging` or a logger that it gave. */
function isLogger(name: string, root: SyntaxNode): boolean {
  if (name === "logging") return true;
  const given = descendants(root, "assignment").filter(
    (each) => each.childForFieldName("left")?.text === name,
  );
  return given.length > 0 && given.every(({ text }) => /=\s*logging\.getLogger\([^()]*\)\s*$/.test(text));
}

/** A clause after imports alone that at most says what is missing. */
function isOptionalImport(clause: SyntaxNode): boolean {
  const tried = clause.parent?.childForFieldName("body");
  if (!/^except\s*\(?\s*(ImportError|ModuleNotFoundError|[\s,])+\)?(\s+as\s+\w+)?\s*:/.test(clause.text))
    return false;
  const isImport = ({ type }: SyntaxNode): boolean => type.startsWith("import") || type === "comment";
  if (tried === undefined || tried === null || !tried.namedChildren.every(isImport)) return false;
  const body = descendants(clause, "block")[0]?.namedChildren ?? [];
  return body.every(({ text }) => /^(pass|\w+\s*=\s*(None|True|False))$/.test(text.trim()));
}

/** How names of runtimes and systems begin; other names are the file's own. */
const foreign = ["cu", "CU", "nv", "dl", "sys", "exec", "fork", "mmap", "popen", "__"];
const pasting = /\s*(?:##|%:%:)\s*/;

/** Whether all names that a macro pastes together are names of its own file. */
function pastesOwnNames(macro: SyntaxNode, root: SyntaxNode): boolean {
  const body = macro.childForFieldName("value")?.text ?? "";
  const chains = body.match(/\w+(\s*(##|%:%:)\s*\w+)+/g) ?? [];
  const operators = body.split(pasting).length - 1;
  const understood = chains.reduce((sum, chain) => sum + chain.split(pasting).length - 1, 0);
  return (
    operators > 0 &&
    understood === operators &&
    chains.every((chain) => isOwn(chain.split(pasting), macro, root))
  );
}

function isOwn(pieces: readonly string[], macro: SyntaxNode, root: SyntaxNode): boolean {
  const parameters = parametersOf(macro);
  const first = pieces.findIndex((piece) => parameters.includes(piece));
  const start = pieces.slice(0, first < 0 ? pieces.length : first).join("");
  if (foreign.some((word) => start.startsWith(word))) return false;
  if (first < 0 || !foreign.some((word) => word.startsWith(start))) return true;
  // What the parameter is given decides.
  const given = givenFor(macro, parameters.indexOf(pieces[first] ?? ""), root);
  return (
    given !== undefined &&
    given.every((word) => {
      const name = start + word;
      return name.length > 1 && !foreign.some((each) => name.startsWith(each) || each.startsWith(name));
    })
  );
}

function parametersOf(macro: SyntaxNode): readonly string[] {
  return descendants(macro, "preproc_params").flatMap(({ text }) => text.match(/\w+|\.\.\./g) ?? []);
}

/** The words that a macro's parameter is given in its file; undefined where one of them is not one word. */
function givenFor(macro: SyntaxNode, parameter: number, root: SyntaxNode): readonly string[] | undefined {
  const name = macro.childForFieldName("name")?.text ?? "";
  const pieces = root.text.split(new RegExp(`(?<!\\w)${name}(?!\\w)`));
  const words: string[] = [];
  for (const [index, behind] of pieces.entries()) {
    if (index === 0 || /#\s*define\s+$/.test(pieces[index - 1] ?? "")) continue;
    const word = /^\s*\(([^()]*)\)/.exec(behind)?.[1]?.split(",")[parameter]?.trim();
    if (word === undefined || !/^\w+$/.test(word)) return undefined;
    words.push(word);
  }
  return words;
}
