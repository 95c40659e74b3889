import { at } from "../../base/known";
import { trickSource } from "../../base/trick-source";
import type { Diagnostic } from "../../judge/verdict";
import { descendants, enclosing } from "../query";
import type { SourceFile } from "../source-file";
import type { SyntaxNode } from "../tree";
import type { Dialect } from "../../workload/spec";
import { type Harmless, harmless } from "./harmless";
import table from "./rules.json";

interface Rule {
  readonly name: string;
  readonly dialect: Dialect;
  /** `stop`: a candidate is not run. `review`: its verdict says that somebody has to look. */
  readonly level: "stop" | "review";
  /** Types of syntax nodes. */
  readonly nodes: readonly string[];
  /** A regular expression on the text of such a node. */
  readonly matches: string;
  /** How the name that it begins with, or that its group "name" holds, has to be declared. */
  readonly within?: "global" | "static" | "static pointer" | "file" | "imported" | "module" | "parameter";
  /** What makes a place harmless. */
  readonly unless?: Harmless;
  readonly because: string;
}

const rules = table as readonly Rule[];

/**
 * Known ways to a verdict that is not earned, in a candidate and not in the text that it was made of. An
 * error stops the candidate; a warning asks for a review. One for each rule, at its first line.
 */
export function scanTricks(
  path: string,
  candidate: SourceFile,
  before: SourceFile | undefined,
): readonly Diagnostic[] {
  return rules
    .filter(({ dialect }) => dialect === candidate.dialect)
    .flatMap((rule) => {
      const [found] = hits(rule, candidate);
      if (found === undefined || (before && hits(rule, before).length > 0)) return [];
      return [
        {
          severity: rule.level === "stop" ? ("error" as const) : ("warning" as const),
          file: path,
          line: found.startPosition.row + 1,
          column: found.startPosition.column + 1,
          message: `${rule.name}: ${rule.because}`,
          source: trickSource(rule.name),
        },
      ];
    });
}

function hits(
  { nodes, matches, within, unless }: Rule,
  { tree: { root } }: SourceFile,
): readonly SyntaxNode[] {
  const pattern = new RegExp(matches, "s");
  return descendants(root, ...nodes).filter((node) => {
    const found = pattern.exec(textOf(node));
    if (found === null) return false;
    const name = found.groups?.["name"] ?? /\w+/.exec(node.text)?.[0] ?? "";
    if (within !== undefined && !isWithin(node, name, { within, root })) return false;
    return unless === undefined || !harmless[unless](node, name, root);
  });
}

/** Of strings that stand beside each other, the one that they are together. */
function textOf(node: SyntaxNode): string {
  if (node.type !== "concatenated_string") return node.text;
  return node.namedChildren.map(({ text }) => text.replace(/^\w*["']+|["']+$/g, "")).join("");
}

function isWithin(
  node: SyntaxNode,
  name: string,
  { within, root }: { readonly within: NonNullable<Rule["within"]>; readonly root: SyntaxNode },
): boolean {
  if (within === "imported") return isImported(root, name);
  if (within === "parameter") return isParameter(node, name);
  if (within === "file") return isOfFile(node, name, root);
  return within === "module" ? isOfModule(node, name, root) : isDeclared(node, name, within);
}

/** Whether a name stands for a module or for what was taken out of one. */
function isImported(root: SyntaxNode, name: string): boolean {
  return descendants(root, "import_statement", "import_from_statement").some(({ text }) =>
    boundNames(text).includes(name),
  );
}

/** Whether a name is a parameter of the Python function around. */
function isParameter(node: SyntaxNode, name: string): boolean {
  const parameters = enclosing(node, "function_definition")?.childForFieldName("parameters");
  return parameters?.namedChildren.some(({ text }) => /^\w+/.exec(text)?.[0] === name) ?? false;
}

/** Whether a name within a function stands for a variable of the module. */
function isOfModule(node: SyntaxNode, name: string, root: SyntaxNode): boolean {
  const around = enclosing(node, "function_definition");
  if (around === undefined) return false;
  const isOwn = (assigned: SyntaxNode): boolean => assigned.namedChildren[0]?.text === name;
  return (
    descendants(root, "assignment").some(
      (each) => isOwn(each) && enclosing(each, "function_definition") === undefined,
    ) && !descendants(around, "assignment").some(isOwn)
  );
}

/** Whether a name within a function of the host stands for a variable outside of all functions, in C++. */
function isOfFile(node: SyntaxNode, name: string, root: SyntaxNode): boolean {
  const around = enclosing(node, "function_definition");
  if (around === undefined || /^[^{(]*__(global|device)__/.test(around.text)) return false;
  const declares = new RegExp(`\\b${name}\\b`);
  const isDeclaredIn = (place: SyntaxNode | undefined): boolean =>
    descendants(root, "declaration", "parameter_declaration").some(
      (each) =>
        enclosing(each, "function_definition")?.id === place?.id &&
        declares.test(at(each.text.split("="), 0)),
    );
  return isDeclaredIn(undefined) && !isDeclaredIn(around);
}

/** The names that an import gives: `import a.b` gives `a`, `from m import c as d` gives `d`. */
function boundNames(text: string): readonly string[] {
  const parts = text.replace(/^from\b.*?\bimport\b|^import\b/s, "").split(",");
  return parts.flatMap((part) => /\bas\s+(\w+)/.exec(part)?.[1] ?? /\w+/.exec(part)?.[0] ?? []);
}

/** Whether the function around a node declares a variable `global` or `static`, or a static pointer. */
function isDeclared(node: SyntaxNode, name: string, how: "global" | "static" | "static pointer"): boolean {
  const around = enclosing(node, "function_definition");
  if (around === undefined) return false;
  if (how === "global")
    return descendants(around, "global_statement", "nonlocal_statement").some((declared) =>
      declared.namedChildren.some(({ text }) => text === name),
    );
  const declares = new RegExp(how === "static" ? `\\b${name}\\b` : `\\*\\s*(const\\s+)?${name}\\b`);
  return descendants(around, "declaration").some(
    ({ text }) => text.startsWith("static") && declares.test(at(text.split("="), 0)),
  );
}
