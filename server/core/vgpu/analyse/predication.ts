import type { CodeBlock } from "./blocks";
import type { ProgramInstruction } from "../flatten/program";

/** The longest run that ptxas was seen to predicate for sm_75 to sm_120, moves not counted. */
const longestRun = 8;

/** Roots of arithmetic that ptxas expands into branches and calls of its own. */
const expanded: ReadonlySet<string> = new Set(["div", "rem", "sqrt", "rcp"]);

/**
 * Whether the machine code has predicates in place of the branch at the end of a block: all that one of its
 * ways does before they meet again is a few plain instructions, so that ptxas guards each of them. Lanes idle
 * either way, but no branch diverges.
 */
export function isPredicated(blocks: readonly CodeBlock[], { terminator }: CodeBlock): boolean {
  if (terminator.kind !== "branch") return false;
  const { taken, otherwise } = terminator;
  return skips(blocks[otherwise], taken) || skips(blocks[taken], otherwise);
}

/** Whether a block does nothing but a short run and then goes to where the other way goes. */
function skips(block: CodeBlock | undefined, meets: number): boolean {
  if (block?.terminator.kind !== "jump" || block.terminator.target !== meets) return false;
  const work = block.instructions.filter(({ matched }) => matched.traits.class !== "move");
  return work.length <= longestRun && block.instructions.every(isPlain);
}

function isPlain({ matched: { instruction, modifiers, traits } }: ProgramInstruction): boolean {
  const isExact = !expanded.has(instruction.opcode) || modifiers.kind === "approx";
  const isOrdinary = traits.gathers === undefined && traits.orders === undefined && !traits.asksHost;
  return isExact && isOrdinary && traits.access !== "update" && traits.access !== "copy";
}
