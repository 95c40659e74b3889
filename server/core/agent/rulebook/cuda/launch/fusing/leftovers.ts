import { collapse, compact, enclosing, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode, type TextEdit } from "../../../edits";
import type { RuleInput } from "../../../rule";
import type { LaunchPair } from "./launch-pair";
import { isInMacro, type Temporary } from "./temporary";

/**
 * Takes out what nobody needs once two kernels are one: the other kernel where no text of the task names it,
 * and the memory that they shared. What cannot be shown to be unused stays.
 */
export function leftovers(
  input: RuleInput,
  pair: LaunchPair,
  temporary: Temporary | undefined,
): readonly TextEdit[] {
  return [
    ...unusedKernel(input, pair),
    ...(temporary === undefined ? [] : unusedMemory(pair.own.view.source, pair, temporary)),
  ];
}

/** A statement or definition taken out with the lines that it fills. */
export function removal(source: string, { startIndex, endIndex }: TextSpan): TextEdit {
  const from = source.lastIndexOf("\n", startIndex - 1) + 1;
  const rest = /^[ \t]*(?:\/\/[^\n]*)?(?:\r?\n|$)/.exec(source.slice(endIndex));
  const isAlone = source.slice(from, startIndex).trim() === "" && rest !== null;
  return isAlone
    ? { start: from, end: endIndex + rest[0].length, text: "" }
    : { start: startIndex, end: endIndex, text: "" };
}

type TextSpan = Pick<SyntaxNode, "startIndex" | "endIndex">;

function unusedKernel(input: RuleInput, { own, other }: LaunchPair): readonly TextEdit[] {
  const { facts } = other.view.kernel;
  const definition = withTemplateHead(other.view.kernel.definition);
  const { source, model } = own.view;
  const word = new RegExp(`\\b${facts.name}\\b`, "g");
  const texts = Object.entries(input.tree);
  const isElsewhere = texts.some(([path, text]) => path !== input.file && text.match(word) !== null);
  // A macro may put a name together; a spec may speak of it; another language may load it by its symbol.
  const isPasted = texts.some(([, text]) => text.includes("##"));
  const isExported = !standsAmongDefinitions(definition) || hasHead(source, definition);
  if (isElsewhere || isPasted || isExported || JSON.stringify(input.spec).match(word) !== null) return [];
  const silent = [definition, other.call, ...model.root.descendantsOfType("comment")];
  const isSilent = (place: number): boolean =>
    silent.some(({ startIndex, endIndex }) => place >= startIndex && place < endIndex);
  if ([...source.matchAll(word)].some(({ index }) => !isSilent(index))) return [];
  const gone = removal(source, {
    startIndex: commentAbove(source, definition).startIndex,
    endIndex: definition.endIndex,
  });
  const gap = /^[ \t]*\r?\n/.exec(source.slice(gone.end));
  return [{ ...gone, end: gone.end + (gap?.[0].length ?? 0) }];
}

/** A definition with the `template <…>` before it. */
function withTemplateHead(definition: SyntaxNode): SyntaxNode {
  const { parent } = definition;
  return parent?.type === "template_declaration" ? parent : definition;
}

/** False for a definition of a linkage of its own, and for one that a class holds. */
function standsAmongDefinitions({ parent }: SyntaxNode): boolean {
  for (let node = parent; node !== null; node = node.parent) {
    const isPlain = /^(?:translation_unit|namespace_definition|declaration_list|preproc_\w+)$/.test(
      node.type,
    );
    if (!isPlain) return false;
  }
  return true;
}

/** True where something that is no part of the definition belongs to it: `extern "C"`, a macro. */
function hasHead(source: string, definition: SyntaxNode): boolean {
  let before = definition.previousNamedSibling;
  while (before?.type === "comment") before = before.previousNamedSibling;
  const { parent } = definition;
  const opened = parent?.type === "declaration_list" ? parent.startIndex + 1 : (parent?.startIndex ?? 0);
  // The semicolon behind a structure is no part of its node.
  return !/^;?$/.test(collapse(source.slice(before?.endIndex ?? opened, definition.startIndex)));
}

/** The first of the comments that end right above a definition, but for one at the head of the file. */
function commentAbove(source: string, definition: SyntaxNode): SyntaxNode {
  let first = definition;
  for (let node = definition.previousNamedSibling; node !== null; node = node.previousNamedSibling) {
    const from = source.lastIndexOf("\n", node.startIndex - 1) + 1;
    const isOwnLine = source.slice(from, node.startIndex).trim() === "";
    const isRightAbove = node.endPosition.row === first.startPosition.row - 1;
    if (node.type !== "comment" || !isOwnLine || !isRightAbove || node.startPosition.row === 0) break;
    first = node;
  }
  return first;
}

const plainCall = /^(?:::)?cuda(?:Malloc|MallocAsync|Free|FreeAsync)$/;
/** Calls that wait for all work before them, as `cudaFree` does. */
const waiting = /\bcuda(?:DeviceSynchronize|Free)\s*\(/;

function unusedMemory(source: string, pair: LaunchPair, temporary: Temporary): readonly TextEdit[] {
  const { calls, block, declaration, declarator, host } = temporary;
  const found = calls.map((call) => ({ call, statement: statementOf(call, block) }));
  const statements = found.flatMap(({ statement }) => statement ?? []);
  if (statements.length < found.length || !calls.every(isWithoutEffects)) return [];
  const free = found.findLast(({ call }) => nameOf(call).endsWith("cudaFree"));
  const waits = free === undefined || waitsAnyway(pair, block, statements);
  const removed = found.map(({ call, statement }) =>
    !waits && call === free.call
      ? replaceNode(call, "cudaDeviceSynchronize()")
      : removal(source, statement ?? call),
  );
  const sizes = calls.flatMap((call) => unusedSizes(pair, call, { block, host }));
  return [
    ...removed,
    withoutDeclarator(source, declaration, declarator),
    ...[...new Map(sizes.map((size) => [size.id, size])).values()].map((size) => removal(source, size)),
  ];
}

function nameOf(call: SyntaxNode): string {
  return call.childForFieldName("function")?.text ?? "";
}

/**
 * The statement of the launches' block that is nothing but the call: by itself, in a macro that checks it, or
 * as the condition of what is done when it fails.
 */
function statementOf(call: SyntaxNode, block: SyntaxNode): SyntaxNode | undefined {
  const list = call.parent;
  const isChecked = list?.type === "argument_list" && partsOf(list).length === 1;
  const whole = isChecked && list.parent?.type === "call_expression" ? list.parent : call;
  const statement = whole.parent?.type === "expression_statement" ? whole.parent : failureOf(call);
  return statement?.parent?.id === block.id && plainCall.test(nameOf(call)) ? statement : undefined;
}

/** `if (CALL != cudaSuccess) …` without an other branch. */
function failureOf(call: SyntaxNode): SyntaxNode | undefined {
  const statement = enclosing(call, "if_statement");
  const condition = compact(statement?.childForFieldName("condition"));
  const isFailure = ["!=cudaSuccess", ""].some((end) => condition === `(${compact(call)}${end})`);
  return isFailure && statement?.childForFieldName("alternative") === null ? statement : undefined;
}

/** True where leaving out the evaluation of a call's arguments changes nothing. */
function isWithoutEffects(call: SyntaxNode): boolean {
  const effects = ["call_expression", "assignment_expression", "update_expression", "lambda_expression"];
  return partsOf(call.childForFieldName("arguments")).every(
    (argument) => argument.descendantsOfType(effects).length === 0,
  );
}

/** True where the host waits behind the launches whatever becomes of the memory: `cudaFree` waits. */
function waitsAnyway({ second }: LaunchPair, block: SyntaxNode, removed: readonly SyntaxNode[]): boolean {
  const behind = partsOf(block).filter(
    (node) => node.startIndex >= second.statement.endIndex && !removed.some(({ id }) => id === node.id),
  );
  const place = behind.findIndex(isWait);
  return (
    place >= 0 &&
    behind.slice(0, place).every((node) => node.descendantsOfType("return_statement").length === 0)
  );
}

function isWait(node: SyntaxNode): boolean {
  const isPlain = node.type === "expression_statement" || node.type === "declaration";
  const maybe = node.descendantsOfType(["conditional_expression", "lambda_expression", "&&", "||"]);
  return isPlain && waiting.test(node.text) && maybe.length === 0;
}

/** Declarations of the block that hold sizes which the call alone reads. */
function unusedSizes(
  { own }: LaunchPair,
  call: SyntaxNode,
  { block, host }: Pick<Temporary, "block" | "host">,
): readonly SyntaxNode[] {
  const names = partsOf(call.childForFieldName("arguments"))
    .slice(1)
    .flatMap((argument) => argument.descendantsOfType("identifier").map(({ text }) => text));
  return [...new Set(names)].flatMap((name) => {
    if (isInMacro(own.view.model.root, name)) return [];
    const declaration = partsOf(block).find((node) => {
      const [only, ...more] = node.type === "declaration" ? node.childrenForFieldName("declarator") : [];
      return more.length === 0 && only?.childForFieldName("declarator")?.text === name;
    });
    const value = declaration?.childForFieldName("declarator")?.childForFieldName("value");
    const isPlain = value?.descendantsOfType(["call_expression", "update_expression"]).length === 0;
    const isElsewhere = usesOf(host, name).some(
      (use) => ![call, ...(declaration ? [declaration] : [])].some((node) => isInside(use, node)),
    );
    return declaration !== undefined && isPlain && !isElsewhere ? [declaration] : [];
  });
}

function withoutDeclarator(source: string, declaration: SyntaxNode, declarator: SyntaxNode): TextEdit {
  const all = declaration.childrenForFieldName("declarator");
  if (all.length === 1) return removal(source, declaration);
  const place = all.findIndex(({ id }) => id === declarator.id);
  const [before, behind] = [all[place - 1], all[place + 1]];
  if (before !== undefined) return { start: before.endIndex, end: declarator.endIndex, text: "" };
  const isApart = /\s/.test(source[declarator.startIndex - 1] ?? "");
  return {
    start: declarator.startIndex,
    end: behind?.startIndex ?? declarator.endIndex,
    text: isApart ? "" : " ",
  };
}
