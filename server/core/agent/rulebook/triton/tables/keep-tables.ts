import { compact, enclosing, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { editedTree, freshName, indentOf, type TextEdit } from "../../edits";
import { evidenceFor, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";
import { isOnlyRead } from "./only-read";
import { give, type Kind, kindReader, type KindReader } from "./value-kinds";

/** Tables that the host makes of sizes alone at each call are made once for each of the sizes, and kept. */
export const keepTables = defineRule("triton-keep-tables", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const reader = kindReader(view.model.root);
  const found = hostFunctions(view).flatMap((host) => tablesIn(view, reader, host) ?? []);
  const [tables] = found.filter((each) => !isNot(each));
  if (tables === undefined || isNot(tables))
    return (
      found.find(isNot) ?? not("no-pattern", "the host makes no tables of sizes alone", view.launch.call)
    );
  const { statements, names } = tables;
  const [first] = statements;
  if (first === undefined) return not("no-pattern", "the host makes no tables of sizes alone", view.line);
  const value = statements.reduce((sum, each) => sum + operationsIn(reader, each), 0);
  const part = shareSaved(termOf(input.bound, "torch"), input.bound.nanoseconds);
  const facts = { file: input.file, line: lineOf(first), counter: "launches" as const, value, ideal: 0 };
  const blanks = { names: names.join(", ") };
  return {
    kind: "proposal",
    tree: editedTree(input, keptEdits(view, tables)),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, facts, blanks),
    gain: Math.max(part * threshold(entry, "share"), 0.02),
  };
});

/** Statements that make tables, one behind the other. */
interface Tables {
  readonly host: SyntaxNode;
  readonly statements: readonly SyntaxNode[];
  /** Names that are used behind them. */
  readonly names: readonly string[];
  /** What the tables depend on. */
  readonly key: readonly string[];
}

/** The function that launches, and those of the file that call it, one by another. */
function hostFunctions({ model, host }: TritonView): readonly SyntaxNode[] {
  const found = [host];
  for (const each of found) {
    const name = each.childForFieldName("name")?.text ?? "";
    const calls = model.root.descendantsOfType("call").filter((call) => {
      const callee = compact(call.childForFieldName("function"));
      return callee === name || callee === `self.${name}`;
    });
    for (const call of calls) {
      const caller = enclosing(call, "function_definition");
      if (caller && !found.some(({ id }) => id === caller.id)) found.push(caller);
    }
  }
  return found;
}

function tablesIn(view: TritonView, reader: KindReader, host: SyntaxNode): Tables | RuleHold | undefined {
  const kinds = new Map<string, Kind>(numbersOf(host).map((name) => [name, "scalar"]));
  const run: { statement: SyntaxNode; kind: Kind }[] = [];
  for (const statement of partsOf(host.childForFieldName("body"))) {
    const known = give(statement, kinds, (node) => reader.kindOf(node, kinds));
    const right = partsOf(statement)[0]?.childForFieldName("right");
    const kind = known && right ? reader.kindOf(right, kinds) : undefined;
    if (kind !== undefined && (kind === "table" || run.length > 0)) run.push({ statement, kind });
    else if (kind === undefined && run.length > 0) break;
  }
  const last = run.findLastIndex(({ kind }) => kind === "table");
  const statements = run.slice(0, last + 1).map(({ statement }) => statement);
  const end = statements.at(-1);
  if (end === undefined) return undefined;
  const given = statements.flatMap(namesGiven);
  const names = [...new Set(given)].filter((name) =>
    usesOf(host, name).some(({ startIndex }) => startIndex >= end.endIndex),
  );
  const written = names.find((name) => {
    const isTable = kinds.get(name) === "table";
    const again = given.filter((each) => each === name).length > 1;
    return isTable && (again || !isOnlyRead(view.model, { scope: host, name, behind: end.endIndex }));
  });
  if (names.length === 0) return undefined;
  if (written !== undefined)
    return not("dependence", `${written} may be changed, or handed on, after it was made`, end);
  return { host, statements, names, key: keyOf(reader, { statements, given, kinds }) };
}

/** Parameters that are numbers by their type or by what they are when left out. */
function numbersOf(host: SyntaxNode): readonly string[] {
  return partsOf(host.childForFieldName("parameters"))
    .filter((node) => {
      const type = node.childForFieldName("type")?.text ?? "";
      const value = node.childForFieldName("value")?.type ?? "";
      return /^(?:int|float|bool)$/.test(type) || /^(?:integer|float|true|false)$/.test(value);
    })
    .map(parameterName);
}

function namesGiven(statement: SyntaxNode): readonly string[] {
  const left = partsOf(statement)[0]?.childForFieldName("left");
  return left?.descendantsOfType("identifier").map(({ text }) => text) ?? [];
}

interface Made {
  readonly statements: readonly SyntaxNode[];
  readonly given: readonly string[];
  readonly kinds: ReadonlyMap<string, Kind>;
}

/** The numbers, types and devices that the tables are made of, as they are written. */
function keyOf(reader: KindReader, { statements, given, kinds }: Made): readonly string[] {
  const key = new Set<string>();
  const follow = (node: SyntaxNode): void => {
    const names = node.descendantsOfType("identifier").map(({ text }) => text);
    const own = names.some((name) => given.includes(name));
    if (!own && /^(?:identifier|attribute|subscript|call)$/.test(node.type)) {
      const isLibrary = /^(?:torch|math|triton)\b/.test(node.text);
      if (!isLibrary && reader.kindOf(node, kinds) === "scalar") {
        key.add(compact(node));
        return;
      }
    }
    const called = node.type === "call" ? reader.functionOf(node) : undefined;
    for (const member of called?.descendantsOfType("attribute") ?? [])
      if (/^self\.\w+$/.test(member.text) && member.parent?.type !== "call") key.add(member.text);
    for (const part of node.type === "keyword_argument" ? partsOf(node).slice(1) : partsOf(node))
      follow(part);
  };
  for (const statement of statements) {
    const right = partsOf(statement)[0]?.childForFieldName("right");
    if (right) follow(right);
  }
  return [...key];
}

/** Operations of torch in a statement, and in the functions that it calls. */
function operationsIn(reader: KindReader, node: SyntaxNode): number {
  const own = node.descendantsOfType(["call", "binary_operator"]);
  const called = own.flatMap((call) => (call.type === "call" ? (reader.functionOf(call) ?? []) : []));
  return own.length + called.reduce((sum, each) => sum + operationsIn(reader, each) - 1, 0);
}

/** The statements under a condition, and the memory that outlives the call. */
function keptEdits({ source, model }: TritonView, { statements, names, key }: Tables): readonly TextEdit[] {
  const [first, last] = [statements[0], statements.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [memory, wanted] = [freshName(source, "kept_tables"), freshName(source, "wanted_tables")];
  const indent = indentOf(source, first);
  const body = source.slice(first.startIndex, last.endIndex).replaceAll(`\n${indent}`, `\n${indent}    `);
  const all = names.length === 1 ? (names[0] ?? "") : names.join(", ");
  const lines = [
    `${wanted} = (${key.join(", ")}${key.length === 1 ? "," : ""})`,
    `if ${wanted} not in ${memory}:`,
    `    ${body}`,
    `    if len(${memory}) >= 16:`,
    `        ${memory}.clear()`,
    `    ${memory}[${wanted}] = ${all}`,
    `${all} = ${memory}[${wanted}]`,
  ];
  const top = partsOf(model.root).find((part) => isInside(first, part)) ?? first;
  return [
    { start: top.startIndex, end: top.startIndex, text: `${memory} = {}\n\n\n` },
    { start: first.startIndex, end: last.endIndex, text: lines.join(`\n${indent}`) },
  ];
}
