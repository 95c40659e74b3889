import { mayLaunch } from "../../../../../language/cuda/launches";
import { collapse, enclosing, fieldText } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { kernelBare, type LaunchUse, standsAmongOthers } from "./launch-use";

interface LaunchMacro {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Name of what takes all further arguments, where it has such. */
  readonly rest: string | undefined;
  readonly text: string;
}

/** The first statement of the file that is the use of a macro which launches. */
export function macroUse(root: SyntaxNode): LaunchUse | undefined {
  const macros = launchMacros(root);
  if (macros.size === 0) return undefined;
  for (const call of root.descendantsOfType("call_expression")) {
    const macro = macros.get(fieldText(call, "function"));
    const statement = call.parent;
    if (macro === undefined || statement?.type !== "expression_statement") continue;
    if (enclosing(call, "function_definition", "lambda_expression") === undefined) continue;
    const text = expanded(macro, macroArguments(fieldText(call, "arguments")));
    if (text !== undefined) return { node: statement, text: asStatement(statement, text) };
  }
  return undefined;
}

/** Macros with parameters that launch, by themselves or by others; those defined once. */
function launchMacros(root: SyntaxNode): ReadonlyMap<string, LaunchMacro> {
  const all = macrosIn(root.text);
  const once = all.filter(({ name }) => all.filter((other) => other.name === name).length === 1);
  const launching = new Map(once.filter(mayLaunch).map((macro) => [macro.name, macro]));
  for (let known = -1; known !== launching.size;) {
    known = launching.size;
    for (const macro of once)
      if ([...launching.keys()].some((name) => new RegExp(`\\b${name}\\b`).test(macro.text)))
        launching.set(macro.name, macro);
  }
  for (const [name, { text }] of launching)
    if (new RegExp(`\\b${name}\\b`).test(text)) launching.delete(name);
  return launching;
}

/** A definition to the end of its last line; the grammar ends it at a comment. */
const definition = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(([^)]*)\)((?:[^\n\\]|\\\r?\n|\\.)*)/gm;

function macrosIn(source: string): readonly LaunchMacro[] {
  return [...source.matchAll(definition)].map(([, name = "", list = "", body = ""]) => {
    const names = list.split(",").map((each) => each.trim());
    const [, rest] = /^(\w*)\s*\.\.\.$/.exec(names.at(-1) ?? "") ?? [];
    return {
      name,
      parameters: names.filter((each) => /^\w+$/.test(each)),
      rest: rest === undefined ? undefined : rest || "__VA_ARGS__",
      text: collapse(body.replaceAll(/\\\r?\n/g, " ")),
    };
  });
}

/** Arguments as the preprocessor parts them: parentheses alone hold commas together. */
function macroArguments(list: string): readonly string[] {
  const inner = list.trim().slice(1, -1);
  const parts = [""];
  let depth = 0;
  for (const [token] of inner.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^]/g)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (token === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${token}`);
  }
  return parts.map(collapse);
}

/** Strings stay as they are; `#name` makes one, and what `##` puts together is not followed. */
const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|##|#\s*[A-Za-z_]\w*|[A-Za-z_]\w*/g;

function expanded(macro: LaunchMacro, given: readonly string[]): string | undefined {
  const { parameters, rest } = macro;
  if (rest === undefined ? given.length !== parameters.length : given.length < parameters.length)
    return undefined;
  const further = given.slice(parameters.length).join(", ");
  const by = new Map(parameters.map((name, place) => [name, given[place] ?? ""]));
  if (rest !== undefined) by.set(rest, further);
  const lead = new RegExp(`,\\s*##\\s*${rest ?? "__VA_ARGS__"}\\b`, "g");
  const plain = macro.text.replace(lead, further === "" ? "" : `, ${rest ?? ""}`);
  if (/##/.test(plain.replace(/"(?:[^"\\]|\\.)*"/g, ""))) return undefined;
  const text = plain.replace(token, (word) => {
    const quoted = /^#\s*(\w+)$/.exec(word)?.[1];
    const argument = by.get(quoted ?? word);
    return quoted === undefined || argument === undefined ? (argument ?? word) : JSON.stringify(argument);
  });
  return kernelBare(text);
}

/** `do { … } while (0)` as a block where other statements stand beside it. */
function asStatement(statement: SyntaxNode, text: string): string {
  const [, inner] = /^do\s*\{(.*)\}\s*while\s*\(\s*(?:0|false)\s*\)\s*;?$/.exec(text) ?? [];
  if (inner !== undefined && standsAmongOthers(statement)) return `{${inner}}`;
  return /[;}]$/.test(text) ? text : `${text};`;
}
