import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes } from "../../../../language/cuda/body/scope";
import { isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, type TextEdit } from "../../edits";
import { estimatedValue, type KernelView } from "../kernel";

/** So many turns are written out; more would be much code. */
const TURNS_MOST = 64;

/**
 * The loop by whose turn alone an index is told, where all of its turns are known when it is compiled:
 * unrolled, the index is a number.
 */
export function unrolledLoop(view: KernelView, index: SyntaxNode): SyntaxNode | undefined {
  const names = index
    .descendantsOfType("identifier")
    .filter((name) => estimatedValue(view, name) === undefined)
    .map(({ text }) => text);
  const [name, ...others] = new Set(names);
  if (name === undefined || others.length > 0) return undefined;
  const around = countedLoops(view.body).filter(({ body }) => isInside(index, body));
  const loop = around.findLast(({ variable }) => variable === name);
  return loop !== undefined && hasKnownTurns(view, loop) ? loop.loop : undefined;
}

/** Whether how often a loop turns is known when it is compiled, and is no more than is written out. */
export function hasKnownTurns(
  view: KernelView,
  { start, bound, step, body, variable, comparison }: CountedLoop,
): boolean {
  const [from, to] = [estimatedValue(view, start), estimatedValue(view, bound)];
  const amount = step.amount === undefined ? 1 : estimatedValue(view, step.amount);
  if (from === undefined || to === undefined || amount === undefined || amount < 1) return false;
  if (!/^[-+]$/.test(step.operator) || /^[!=]=$/.test(comparison)) return false;
  const changed = changes(body).some(({ target }) => target.text === variable);
  return !changed && Math.abs(to - from) / amount <= TURNS_MOST;
}

/** A hint that asks for no more than a part of the turns: `#pragma unroll 1`, `#pragma nounroll`. */
const part = /^#\s*pragma\s+(?:nounroll|unroll\s*\(?\s*\d+\s*\)?)\s*$/;

/** The hint that unrolls a loop as a whole; none where one stands there already. */
export function unrollEdit(source: string, loop: SyntaxNode): TextEdit | undefined {
  const before = loop.previousNamedSibling;
  if (before !== null && part.test(before.text.trim()))
    return {
      start: before.startIndex,
      end: before.startIndex + before.text.trimEnd().length,
      text: "#pragma unroll",
    };
  if (/^#\s*pragma\b/.test(before?.text ?? "")) return undefined;
  const { startIndex: start } = loop;
  const line = source.lastIndexOf("\n", start - 1) + 1;
  const isFirst = source.slice(line, start).trim() === "";
  const text = `${isFirst ? "" : "\n"}#pragma unroll\n${indentOf(source, loop)}`;
  return { start, end: start, text };
}
