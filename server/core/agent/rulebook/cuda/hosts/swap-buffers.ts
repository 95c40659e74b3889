import { changes } from "../../../../language/cuda/body/scope";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { collapse, enclosing, fieldText, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { loopTypes } from "../../diagnosis/places";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { type DeviceCopy, deviceCopies } from "./device-copies";

/** A loop of the host whose turns end with the result copied back to where the next one reads it. */
interface CopyingLoop {
  readonly loop: SyntaxNode;
  readonly launch: CudaLaunch;
  readonly copy: DeviceCopy;
  /** The copy with the macro that checks it and its semicolon. */
  readonly statement: SyntaxNode;
}

/**
 * Buffers that take turns in place of a copy behind each launch. Both end with the newest result, as they did
 * with the copies: one is left, behind the loop. What the kernel leaves unwritten is the judge's to find.
 */
export const swapBuffers = defineRule("cuda-swap-buffers", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = copyingLoop(view);
  if (isNot(found)) return found;
  const { nanoseconds } = input.bound;
  const copies = termOf(input.bound, "copies");
  const gain = nanoseconds > 0 ? copies / nanoseconds / 2 : 0;
  const held = heldBack(found);
  if (held !== undefined) return { ...held, gain };
  const { target, source } = found.copy;
  const edits = swapped(view.source, found);
  const facts = { file: input.file, line: lineOf(found.copy.call), counter: "copies" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { target, source }),
    evidence: evidenceFor(entry, { ...facts, value: launchesOf(input), ideal: 1 }, { target, source }),
    gain,
  };
});

/** Launches of the kernel in one run: as many copies follow them. */
function launchesOf({ launches = [], kernel }: RuleInput): number {
  const own = launches.filter((each) => each.kernel === undefined || each.kernel.includes(kernel));
  return own.reduce((sum, { times }) => sum + times, 0);
}

function copyingLoop(view: KernelView): CopyingLoop | RuleHold {
  for (const launch of view.launches) {
    const loop = enclosing(launch.call, ...loopTypes);
    const body = loop?.childForFieldName("body");
    if (loop === undefined || body?.type !== "compound_statement") continue;
    if (loop.parent?.type !== "compound_statement") continue;
    const given = partsOf(launch.call.childForFieldName("arguments")).map(({ text }) => collapse(text));
    const copy = deviceCopies(body).find(
      ({ call, target, source }) =>
        call.startIndex > launch.call.endIndex && given.includes(target) && given.includes(source),
    );
    const statement = copy && enclosing(copy.call, "expression_statement");
    if (copy === undefined || statement === undefined) continue;
    return { loop, launch, copy, statement };
  }
  return not("no-pattern", "no loop copies within the device what a launch has written", view.line);
}

function heldBack({ loop, launch, copy, statement }: CopyingLoop): RuleHold | undefined {
  const { target, source } = copy;
  if (![target, source].every((name) => /^[A-Za-z_]\w*$/.test(name)))
    return not("no-pattern", `${target} and ${source} are no plain names`, copy.call);
  const body = loop.childForFieldName("body");
  const own = enclosing(launch.call, "expression_statement");
  if (statement.parent?.id !== body?.id || own?.parent?.id !== body?.id)
    return not("no-rewrite", "the launch and the copy do not stand side by side in the loop", copy.call);
  const [leave] = loop.descendantsOfType([
    "break_statement",
    "return_statement",
    "continue_statement",
    "goto_statement",
  ]);
  if (leave !== undefined)
    return not("no-rewrite", `the loop has a ${leave.text.replace(/\W.*$/s, "")}`, leave);
  const fixed = new Set([target, source, ...namesIn(copy.call)]);
  const changed = changes(loop).find(
    ({ act, target: node }) => fixed.has(node.text) && act.id !== copy.call.id,
  );
  if (changed !== undefined)
    return not("dependence", `${changed.target.text} changes in the loop`, changed.act);
  const declared = loop
    .descendantsOfType("init_declarator")
    .find((node) => fixed.has(fieldText(node, "declarator")));
  return (
    declared &&
    not("dependence", `${fieldText(declared, "declarator")} is another one in each turn`, declared)
  );
}

function namesIn(node: SyntaxNode): readonly string[] {
  return node.descendantsOfType("identifier").map(({ text }) => text);
}

function swapped(text: string, { loop, copy, statement }: CopyingLoop): readonly TextEdit[] {
  const { target, source } = copy;
  const [latest, next, before, hasRun] = ["latest", "next", "before", "hasRun"].map((name) =>
    freshName(text, name),
  ) as [string, string, string, string];
  const indent = indentOf(text, loop);
  const start = [
    `auto *${latest} = ${target};`,
    `auto *${next} = ${source};`,
    `bool ${hasRun} = false;`,
    "",
  ].join(`\n${indent}`);
  const swap = [
    `auto *${before} = ${latest};`,
    `${latest} = ${next};`,
    `${next} = ${before};`,
    `${hasRun} = true;`,
  ].join(" ");
  const body = loop.childForFieldName("body");
  const uses = (body?.descendantsOfType("identifier") ?? []).flatMap((node) => {
    if (node.startIndex >= statement.startIndex && node.endIndex <= statement.endIndex) return [];
    if (node.text !== target && node.text !== source) return [];
    return [replaceNode(node, node.text === target ? latest : next)];
  });
  return [
    insertBefore(loop, start),
    ...uses,
    replaceNode(statement, swap),
    {
      start: loop.endIndex,
      end: loop.endIndex,
      text: `\n${indent}if (${hasRun}) ${lastCopy(statement, copy, { latest, next })}`,
    },
  ];
}

/** The statement of the copy, from the newest result to the other buffer. */
function lastCopy(
  statement: SyntaxNode,
  { call }: DeviceCopy,
  { latest, next }: { readonly latest: string; readonly next: string },
): string {
  const [to, from] = partsOf(call.childForFieldName("arguments"));
  const at = statement.startIndex;
  if (to === undefined || from === undefined) return statement.text;
  const { text } = statement;
  return (
    text.slice(0, to.startIndex - at) +
    next +
    text.slice(to.endIndex - at, from.startIndex - at) +
    latest +
    text.slice(from.endIndex - at)
  );
}
