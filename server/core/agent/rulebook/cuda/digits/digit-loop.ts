import { storedElement } from "./stored-element";
import type { SyntaxNode } from "../../../../language/tree";
import { fieldText, usesOf } from "../../../../language/query";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import type { DigitWork } from "./digit-work";

/** The work once for each digit, in a loop that the compiler unrolls. */
export function digitLoop(view: KernelView, work: DigitWork): readonly TextEdit[] {
  const { number, base, quotients, digits, guard, end, statements, isWhole } = work;
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined || last === undefined) return [];
  const { source } = view;
  const written = fieldText(number.declaration, "type");
  const type = written === "auto" ? "unsigned" : written;
  const [group, digit] = [freshName(source, "group"), freshName(source, "digit")];
  const store = isWhole ? storedElement(view, work) : undefined;
  const results = freshName(source, "results");
  const edits = [
    ...quotients.map((node) => replaceNode(node, group)),
    ...digits.map((node) => replaceNode(node, digit)),
    ...(store === undefined ? [] : [replaceNode(store.target, `${results}[${digit}]`)]),
  ];
  const inside = (node: SyntaxNode): string =>
    editedText(
      source,
      { start: node.startIndex, end: node.endIndex },
      edits.filter((edit) => edit.start >= node.startIndex && edit.end <= node.endIndex),
    );
  const texts = statements.map(inside);
  const isNamed = statements.some((node) =>
    usesOf(node, number.name).some(
      (use) => !edits.some(({ start, end: to }) => use.startIndex >= start && use.endIndex <= to),
    ),
  );
  const whole = `${group} * ${base}`;
  const indent = indentOf(source, first);
  const made = [
    ...(store === undefined ? [] : [`${store.type} ${results}[${base}];`]),
    "#pragma unroll",
    `for (${type} ${digit} = 0; ${digit} < ${base}; ++${digit}) {`,
    ...(isNamed || !isWhole ? [`  const ${type} ${number.name} = ${whole} + ${digit};`] : []),
    ...(isWhole ? [] : [`  if (${number.name} >= ${end.text}) break;`]),
    ...texts.flatMap((text) => text.split("\n").map((line) => `  ${line}`)),
    "}",
    ...(store?.lines({ results, start: whole, base }) ?? []),
  ];
  // Further lines of a statement have the kernel's indentation already.
  const lines = made.map((line, place) =>
    place === 0 || line.startsWith(`  ${indent}`) ? line : `${indent}${line}`,
  );
  const between = edits.filter(
    ({ start }) =>
      start >= guard.endIndex &&
      !statements.some((node) => start >= node.startIndex && start < node.endIndex),
  );
  const condition = guard.childForFieldName("condition")?.childForFieldName("value") ?? guard;
  const beyond = isWhole ? `${group} >= (${end.text}) / ${base}` : `${group} > (${end.text} - 1) / ${base}`;
  return [
    replaceNode(number.declaration, `const ${type} ${group} = ${number.value.text};`),
    replaceNode(condition, beyond),
    ...between,
    { start: first.startIndex, end: last.endIndex, text: lines.join("\n") },
  ];
}
