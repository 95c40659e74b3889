import { calledFunctions, declaredName } from "../../../../../language/cuda/body/threads";
import { lastName } from "../../../../../language/cuda/kernels";
import { fieldText, isInside } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../../edits";
import { isNot, type RuleInput } from "../../../rule";
import { cudaKernel } from "../../kernel";

interface Changed {
  /** The headers as they are. */
  readonly before: string;
  readonly after: { readonly own: string; readonly headers: string };
  /** The line in front of the headers. */
  readonly mark: string;
}

interface Copies {
  /** The kernel's own file with the copies. */
  readonly text: string;
  /** What each copied function is called, by its name in the header. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The kernel's file with copies of the functions that a rewrite has changed in the headers behind it, and of
 * those between them and the kernel. Undefined where anything else of a header has changed, or a function
 * that the kernel does not call as one.
 */
export function copiesOf(input: RuleInput, { before, after, mark }: Changed): Copies | undefined {
  const view = cudaKernel(input);
  const old = input.parse(input.file, before);
  if (isNot(view) || old === undefined) return undefined;
  const start = view.source.indexOf(`\n${mark}\n`);
  const reached = calledFunctions(view.model, view.kernel);
  const headers = input.parse(input.file, after.headers);
  const changed = headers && changedNames(old, headers);
  if (changed === undefined) return undefined;
  const inHeaders = reached.filter(({ startIndex }) => startIndex > start);
  const wanted = closed(inHeaders, changed);
  const copied = inHeaders.filter((node) => wanted.has(declaredName(node) ?? "") && isFunction(node));
  const found = new Set(copied.map(declaredName));
  if ([...changed].some((name) => !found.has(name))) return undefined;
  const names = new Map(
    [...wanted]
      .filter((name) => found.has(name))
      .map((name) => [name, freshName(view.source, `${name}Here`)]),
  );
  const own = [view.kernel.definition, ...reached.filter(({ startIndex }) => startIndex < start)];
  const place = placeIn(view.kernel.definition);
  if (place === undefined) return undefined;
  const isBlankBehind = /^\r?\n[ \t]*\r?\n/.test(view.source.slice(place));
  const texts = [...copied]
    .sort((a, b) => a.startIndex - b.startIndex)
    .map((node) => copyOf(node, view.source, names));
  const edits = [
    { start: place, end: place, text: `\n\n${texts.join("\n\n")}${isBlankBehind ? "" : "\n"}` },
    ...own.flatMap((node) => renamings(node, names)),
  ];
  // What a rewrite has put behind the headers stands behind the file's own text.
  return { names, text: editedText(view.source, { start: 0, end: start }, edits) + after.own.slice(start) };
}

/** Names of functions whose text has changed; undefined where anything else has. */
function changedNames(before: SyntaxNode, after: SyntaxNode): ReadonlySet<string> | undefined {
  const [old, now] = [before, after].map((root) =>
    root.descendantsOfType("function_definition").filter(isFunction),
  );
  if (old === undefined || now?.length !== old.length) return undefined;
  if (withoutBodies(before, old) !== withoutBodies(after, now)) return undefined;
  const names = now.flatMap((node, place) =>
    node.text === old[place]?.text ? [] : [declaredName(node) ?? ""],
  );
  return names.includes("") ? undefined : new Set(names);
}

function withoutBodies(root: SyntaxNode, functions: readonly SyntaxNode[]): string {
  const edits = functions.map((node) => replaceNode(node, ""));
  return editedText(root.text, { start: root.startIndex, end: root.endIndex }, edits);
}

/** True for a function that is no member of a structure. */
function isFunction(node: SyntaxNode): boolean {
  for (let up = node.parent; up !== null; up = up.parent)
    if (/^(?:field_declaration_list|function_definition)$/.test(up.type)) return false;
  return fieldText(node, "declarator").split("(")[0]?.includes("::") === false;
}

/** Those functions and all that call one of them. */
function closed(functions: readonly SyntaxNode[], changed: ReadonlySet<string>): ReadonlySet<string> {
  const wanted = new Set(changed);
  for (let size = -1; size < wanted.size;) {
    size = wanted.size;
    for (const node of functions)
      if (calleesIn(node, wanted).length > 0) wanted.add(declaredName(node) ?? "");
  }
  return wanted;
}

/** The last names of what is called in a node, where those are among some names. */
function calleesIn(node: SyntaxNode, names: { has(name: string): boolean }): readonly SyntaxNode[] {
  return node.descendantsOfType("call_expression").flatMap((call) => {
    let callee = call.childForFieldName("function");
    if (callee === null || !/^(?:identifier|qualified_identifier|template_function)$/.test(callee.type))
      return [];
    for (let next: SyntaxNode | null = callee; next !== null; next = next.childForFieldName("name"))
      callee = next;
    return names.has(callee.text) ? [callee] : [];
  });
}

function renamings(node: SyntaxNode, names: ReadonlyMap<string, string>): readonly TextEdit[] {
  return calleesIn(node, names).map((callee) => replaceNode(callee, names.get(callee.text) ?? callee.text));
}

function copyOf(node: SyntaxNode, source: string, names: ReadonlyMap<string, string>): string {
  const declarator = node.descendantsOfType("function_declarator")[0]?.childForFieldName("declarator");
  let whole = node;
  while (whole.parent?.type === "template_declaration") whole = whole.parent;
  const named = declarator ? [declarator].filter((each) => names.has(lastName(each))) : [];
  const edits = [
    ...named.map((each) => replaceNode(each, names.get(lastName(each)) ?? each.text)),
    ...renamings(node, names),
  ];
  const text = editedText(source, { start: whole.startIndex, end: whole.endIndex }, edits);
  const spaces: string[] = [];
  for (let up = whole.parent; up !== null; up = up.parent)
    if (up.type === "namespace_definition") spaces.unshift(fieldText(up, "name"));
  const [heads, ends] = [spaces.map((name) => `namespace ${name} {\n`), spaces.map(() => "\n}")];
  return `${heads.join("")}${text}${ends.join("")}`;
}

/** Behind the last `#include` in front of the kernel; undefined where that stands in a namespace. */
function placeIn(definition: SyntaxNode): number | undefined {
  let root = definition;
  while (root.parent !== null) root = root.parent;
  const include = root
    .descendantsOfType("preproc_include")
    .filter(({ startIndex }) => startIndex < definition.startIndex)
    .at(-1);
  if (include === undefined) return undefined;
  let node = include;
  while (node.parent !== null && !isInside(definition, node.parent)) node = node.parent;
  const holder = node.parent?.type ?? "";
  if (!/^(?:translation_unit|preproc_ifdef|preproc_if)$/.test(holder)) return undefined;
  // An include takes the end of its line with it.
  return node.text.endsWith("\n") ? node.endIndex - 1 : node.endIndex;
}
