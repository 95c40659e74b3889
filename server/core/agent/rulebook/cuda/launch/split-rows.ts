import { compact } from "../../../../language/query";
import type { TextEdit } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { threadsCooperate } from "../elements/element-work";
import type { KernelView } from "../kernel";
import { rowOfThreads } from "./block-shape";
import { dealtTurns, freeAxis } from "./dealt-turns";
import { gridEdit } from "./grid-edit";

/**
 * More blocks along another axis for a kernel that gives each block a row or a slice: they share the turns of
 * its loop.
 */
export function splitRows(input: RuleInput, view: KernelView, parts: number): readonly TextEdit[] | RuleHold {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const turns = dealtTurns(view, threads);
  if (isNot(turns)) return turns;
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return held;
  const grid = view.launches[0]?.grid ?? [];
  const axis = freeAxis(view, (each) => (grid[each === "y" ? 1 : 2]?.text ?? "1") !== "1");
  if (typeof axis !== "string") return not("dependence", `${compact(axis)} is used`, axis);
  const count = String(Math.min(parts, 64));
  const edit = gridEdit(input, view, ([x, y, z]) => (axis === "y" ? [x, count, z] : [x, y, count]));
  return isNot(edit) ? edit : [edit, ...turns.edits(axis)];
}
