import { declaredName } from "../../../language/cuda/body/threads";
import { fieldText, lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { LineCounters } from "../../../timing/counters";
import type { KernelView } from "../cuda/kernel";
import { type Measured, sumOf } from "./measured";

export const loopTypes = ["for_statement", "while_statement", "do_statement", "for_range_loop"] as const;

/** Lines of the kernel's file that belong to a node. */
export function linesIn({ lines }: Measured, node: SyntaxNode): readonly LineCounters[] {
  const [first, last] = [lineOf(node), node.endPosition.row + 1];
  return lines.filter(({ line }) => line >= first && line <= last);
}

/** Counters of the lines of a node. */
export function countsIn(measured: Measured, node: SyntaxNode): ReturnType<typeof sumOf> {
  return sumOf(linesIn(measured, node));
}

/** The same with the lines of the functions that are called in a node, and of those that they call. */
export function countsWithCalls(measured: Measured, node: SyntaxNode): ReturnType<typeof sumOf> {
  const places = [node, ...calledIn(measured, node)];
  const lines = new Map(places.flatMap((place) => linesIn(measured, place)).map((line) => [line.line, line]));
  return sumOf([...lines.values()]);
}

/** Definitions of the functions that are called in a node, and of those that they call. */
export function calledIn({ view }: Measured, node: SyntaxNode): readonly SyntaxNode[] {
  const definitions = view?.model.root.descendantsOfType("function_definition") ?? [];
  const places = [node];
  for (const place of places) {
    const called = new Set(
      place.descendantsOfType("call_expression").map((call) =>
        fieldText(call, "function")
          .split(/::|\.|->/)
          .at(-1)
          ?.replace(/<.*$/s, ""),
      ),
    );
    places.push(
      ...definitions.filter(
        (each) => called.has(declaredName(each)) && !places.some(({ id }) => id === each.id),
      ),
    );
  }
  return places.slice(1);
}

/** Loops of the kernel and of the functions of its file, outer ones first. */
export function loopsOf({ model }: KernelView): readonly SyntaxNode[] {
  return model.root.descendantsOfType([...loopTypes]);
}

/** The innermost loop that a line stands in; undefined outside of loops. */
export function loopAround(view: KernelView, line: number): SyntaxNode | undefined {
  return loopsOf(view)
    .filter((loop) => lineOf(loop) <= line && loop.endPosition.row + 1 >= line)
    .at(-1);
}

/** Nodes of some types that begin on a line. */
export function nodesOn(view: KernelView, line: number, types: readonly string[]): readonly SyntaxNode[] {
  return view.model.root.descendantsOfType([...types]).filter((node) => lineOf(node) === line);
}
