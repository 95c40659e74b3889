import { compact } from "../../../../../language/query";
import type { TextEdit } from "../../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { threadsCooperate } from "../../elements/element-work";
import type { KernelView } from "../../kernel";
import { blocksForEach } from "../asked-grid";
import { rowOfThreads } from "../block-shape";
import { dealtTurns, freeAxis } from "../dealt-turns";
import { factorOf, gridEdits, onlyLaunch } from "../grid-edit";

/** More blocks would have too few turns each. */
const mostParts = 64;

/**
 * More blocks along another axis for a kernel that gives each block a row or a slice: they share the turns of
 * its loop. How many, the host works out at each launch: with many rows one block each is enough.
 * @param each blocks for each multiprocessor
 */
export function splitRows(input: RuleInput, view: KernelView, each: number): readonly TextEdit[] | RuleHold {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const turns = dealtTurns(view, threads);
  if (isNot(turns)) return turns;
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return held;
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const { grid } = launch;
  const axis = freeAxis(view, (free) => (grid[free === "y" ? 1 : 2]?.text ?? "1") !== "1");
  if (typeof axis !== "string") return not("dependence", `${compact(axis)} is used`, axis);
  const rows = grid.flatMap(({ text }) => (text === "1" ? [] : [factorOf(text)])).join(" * ");
  const parts = blocksForEach({ input, view, launch, each }, rows === "" ? "1" : rows, mostParts);
  if (isNot(parts)) return parts;
  const edits = gridEdits(input, view, ([x, y, z]) =>
    axis === "y" ? [x, parts.text, z] : [x, y, parts.text],
  );
  return isNot(edits) ? edits : [...parts.edits, ...edits, ...turns.edits(axis)];
}
