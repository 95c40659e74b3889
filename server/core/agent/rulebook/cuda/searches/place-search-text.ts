import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { PlaceSearch } from "./place-search";

/**
 * The loop as a search by halves: then it takes the turns on both sides of the place that was found, or adds
 * their number. `check` names what says that the array ascends; where it does not, the old loop is taken.
 */
export function placeSearchEdit(source: string, search: PlaceSearch, check: string | undefined): TextEdit {
  const { loop } = search;
  const hint = hintBefore(loop);
  const start = hint?.startIndex ?? loop.startIndex;
  const indent = indentOf(source, { startIndex: start });
  const lines = check === undefined ? ["{"] : [`if (${check}) {`];
  lines.push(...searchLines(source, search).map((line) => `  ${line}`));
  if (check === undefined) lines.push("}");
  else {
    const old = source.slice(start, loop.endIndex);
    lines.push("} else {", old.startsWith("#") ? `\n${old}` : `  ${old}`, "}");
  }
  return { start, end: loop.endIndex, text: lines.join(`\n${indent}`) };
}

/** `#pragma unroll` in front of a loop. */
function hintBefore(loop: SyntaxNode): SyntaxNode | undefined {
  const before = loop.previousNamedSibling;
  return before !== null && /^#\s*pragma\b/.test(before.text) ? before : undefined;
}

function searchLines(source: string, search: PlaceSearch): readonly string[] {
  const { variable, type, start, bound, isInclusive, isUp, meaning } = search;
  const [first, low, high, middle] = ["first", "low", "high", "middle"].map((name) =>
    freshName(source, name),
  ) as [string, string, string, string];
  const kind =
    type === undefined || type === "auto" ? `decltype(${start?.text ?? variable} + 0)` : plain(type);
  const from = start?.text ?? variable;
  const [least, end] = isUp
    ? [from, isInclusive ? `(${bound.text}) + 1` : bound.text]
    : [isInclusive ? bound.text : `(${bound.text}) + 1`, `(${from}) + 1`];
  const lines = [
    `const ${kind} ${first} = ${least};`,
    `${kind} ${low} = ${first};`,
    `${kind} ${high} = ${end};`,
    ...(meaning.kind === "behind" ? [`const ${kind} ${freshName(source, "last")} = ${high};`] : []),
    `while (${low} < ${high}) {`,
    `  const ${kind} ${middle} = ${low} + (${high} - ${low}) / 2;`,
    `  if (${comparedAt(source, search, middle)}) ${low} = ${middle} + 1; else ${high} = ${middle};`,
    "}",
  ];
  const { counted = "" } = meaning;
  if (meaning.kind === "before") return [...lines, `${counted} += ${low} - ${first};`];
  if (meaning.kind === "behind")
    return [
      ...lines,
      `if (${low} < ${freshName(source, "last")}) ${counted} += ${freshName(source, "last")} - ${low};`,
    ];
  return [...lines, ...aroundLines(source, search, { first, low, high })];
}

/** The loop itself, in front of and behind the place alone. */
function aroundLines(
  source: string,
  { loop, body, update, variable, type, isUp, start }: PlaceSearch,
  { first, low }: { readonly first: string; readonly low: string; readonly high: string },
): readonly string[] {
  const condition = loop.childForFieldName("condition")?.text ?? "";
  const declared = type === undefined ? variable : `${type} ${variable}`;
  const from = start?.text ?? variable;
  const begin = isUp ? `${low} > ${first} ? ${low} - 1 : ${low}` : `${low} < (${from}) ? ${low} : (${from})`;
  const isNear = isUp ? `${variable} <= ${low}` : `${variable} + 1 >= ${low}`;
  const head = `for (${declared} = ${begin}; ${condition} && ${isNear}; ${update.text})`;
  return ["#pragma unroll 1", `${head} ${source.slice(body.startIndex, body.endIndex)}`];
}

/** The condition that holds in front of the place, for an element by its number. */
function comparedAt(source: string, { compared, meaning, variable }: PlaceSearch, number: string): string {
  const { comparison } = compared;
  const text = editedText(
    source,
    { start: comparison.startIndex, end: comparison.endIndex },
    usesOf(comparison, variable).map((use) => replaceNode(use, number)),
  );
  return meaning.isFirst ? text : `!(${text})`;
}

function plain(type: string): string {
  return type.replace(/\bconst\b/g, "").trim();
}
