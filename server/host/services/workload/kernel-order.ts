import type { TextRange } from "../../../core/base/text";
import { findLaunchSites, type SourceFile } from "../../../core/language/source-file";
import type { SyntaxNode } from "../../../core/language/tree";

const loopTypes = ["for_statement", "while_statement", "do_statement"];

/**
 * Kernels with those first that host code launches in a loop, the innermost loop before all: what is launched
 * once a step takes more of the time than what is launched once. Others stay in their order.
 */
export function loopsFirst(source: SourceFile, kernels: readonly string[]): readonly string[] {
  const loops = source.tree.root.descendantsOfType(loopTypes);
  const depths = new Map<string, number>();
  for (const { kernel, range } of findLaunchSites(source)) {
    const depth = loops.filter((loop) => holds(loop, range)).length;
    depths.set(kernel, Math.max(depth, depths.get(kernel) ?? 0));
  }
  const depthOf = (kernel: string): number => depths.get(kernel.split("::").at(-1) ?? kernel) ?? 0;
  return kernels.toSorted((one, other) => depthOf(other) - depthOf(one));
}

function holds({ startPosition, endPosition }: SyntaxNode, { start, end }: TextRange): boolean {
  const begins = startPosition.row - start.line || startPosition.column - start.character;
  const ends = endPosition.row - end.line || endPosition.column - end.character;
  return begins <= 0 && ends >= 0;
}
