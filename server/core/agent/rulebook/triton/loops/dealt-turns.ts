import { known } from "../../../../base/known";
import { collapse, compact, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";
import { positional, type TritonView } from "../kernel";
import type { Head } from "../passes/walks";
import { libraryOf } from "../spread/dimension";

/** Programs of the kernel's launches at the sizes of the counters. */
export function programsOf({ launches, facts }: RuleInput): number | undefined {
  const blocks = launches?.map((launch) => launch.blocks) ?? [];
  return blocks.length === 0 || facts.length > 1 ? undefined : Math.max(...blocks);
}

/**
 * Into how many parts a loop is split, in the host's words: two programs for every multiprocessor, and one
 * part where there are as many programs already. `limits`: what there are no more parts than, too.
 */
export function partsText(
  others: readonly string[],
  most: number,
  multiprocessors: string,
  limits: readonly string[] = [],
): string {
  const [first, ...more] = others.filter((text) => text !== "1");
  const factor = (text: string): string => (/^\w+$/.test(text) ? text : `(${text})`);
  const programs =
    first === undefined || more.length === 0 ? first : [first, ...more].map(factor).join(" * ");
  const share = programs === undefined ? "" : ` // max(1, ${programs})`;
  const least = `min(${[String(most), `2 * ${multiprocessors}${share}`, ...limits].join(", ")})`;
  return programs === undefined && limits.length === 0 ? least : `max(1, ${least})`;
}

/** `range(n)` and `range(0, n)`. */
export function unitHead(loop: SyntaxNode): Head | undefined {
  const [variable, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
  const callee = range?.type === "call" ? compact(range.childForFieldName("function")) : "";
  if (variable?.type !== "identifier" || !range || !/^(?:\w+\.)?range$/.test(callee)) return undefined;
  const given = positional(range);
  const [first, second] = given;
  const end = given.length === 1 ? first : second;
  const plain = given.length === 1 || (given.length === 2 && first?.text === "0");
  return plain && end !== undefined
    ? { variable: variable.text, end: collapse(end.text), block: "1", counts: false, range }
    : undefined;
}

/** Every so many turns, beginning with the program's own. */
export function headEdits(view: TritonView, head: Head, axis: number): readonly TextEdit[] {
  const library = libraryOf(view);
  const [number, count] = [`${library}program_id(${axis})`, `${library}num_programs(${axis})`];
  const { block, end } = head;
  if (head.start !== undefined && head.step !== undefined)
    return [replaceNode(head.start, `${number} * ${block}`), replaceNode(head.step, `${count} * ${block}`)];
  const given = head.range?.childForFieldName("arguments");
  if (!given) return [];
  const options = partsOf(given).filter(({ type }) => type === "keyword_argument");
  const divided = partsOf(given).findLast(({ type }) => type !== "keyword_argument");
  const by = block === "1" ? "" : ` * ${block}`;
  const turns = head.counts
    ? [number, known(divided, "the end of a loop").text, count]
    : [`${number}${by}`, end, `${count}${by}`];
  return [replaceNode(given, `(${[...turns, ...options.map(({ text }) => text)].join(", ")})`)];
}

interface Stepped {
  readonly loop: SyntaxNode;
  readonly step: SyntaxNode;
  readonly axis: number;
}

/** `x_ptrs += STEP` → as many steps at once as there are programs, behind those of the programs before. */
export function stepEdits(view: TritonView, { loop, step, axis }: Stepped): readonly TextEdit[] {
  const [name, by] = [step.childForFieldName("left"), step.childForFieldName("right")];
  const operator = step.childForFieldName("operator")?.text ?? "+=";
  if (!name || !by) return [];
  const library = libraryOf(view);
  const begin = `${name.text} ${operator} ${library}program_id(${axis}) * (${by.text})`;
  return [
    insertBefore(loop, `${begin}\n${indentOf(view.source, loop)}`),
    replaceNode(by, `${library}num_programs(${axis}) * (${by.text})`),
  ];
}

/**
 * True for `x_ptrs += STEP` once in each turn, by the same, where nothing behind the loop asks how far it
 * came.
 */
export function isSteady(view: TritonView, loop: SyntaxNode, act: SyntaxNode): boolean {
  const [name, by] = [act.childForFieldName("left"), act.childForFieldName("right")];
  const body = loop.childForFieldName("body");
  if (act.type !== "augmented_assignment" || !name || !by || !body) return false;
  const given = body
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .flatMap((each) => each.childForFieldName("left")?.descendantsOfType("identifier") ?? []);
  const changing = new Set([loop.childForFieldName("left")?.text, ...given.map(({ text }) => text)]);
  const once = given.filter(({ text }) => text === name.text).length === 1;
  const always = act.parent?.parent?.id === body.id && !/\b(?:continue|break|return)\b/.test(body.text);
  const steady =
    by.descendantsOfType("call").length === 0 &&
    [by, ...by.descendantsOfType("identifier")].every(
      ({ type, text }) => type !== "identifier" || !changing.has(text),
    );
  const later = usesOf(view.body, name.text).some(({ startIndex }) => startIndex > loop.endIndex);
  return once && always && steady && !later;
}
