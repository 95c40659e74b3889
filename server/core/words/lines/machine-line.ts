import { retold, t } from "../../base/localized";
import type { CompiledFacts, MachineLine } from "../../judge/verdict";
import { plural } from "../quantities";

/** Machine code of one line, summed over the kernels that have it; undefined when none has. */
export function machineLineOf(
  facts: readonly CompiledFacts[],
  file: string,
  line: number,
): MachineLine | undefined {
  const parts = facts
    .flatMap((each) => each.machineCode ?? [])
    .filter((each) => each.file === file && each.line === line);
  if (parts.length === 0) return undefined;
  const mix: Record<string, number> = {};
  for (const part of parts)
    for (const [name, count] of Object.entries(part.mix)) mix[name] = (mix[name] ?? 0) + count;
  const sum = (pick: (part: MachineLine) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  return {
    file,
    line,
    mix,
    instructions: sum((part) => part.instructions),
    staticStallCycles: sum((part) => part.staticStallCycles),
    spillInstructions: sum((part) => part.spillInstructions),
  };
}

/** `12 machine instructions (4 integer, 3 load-global), 31 stall cycles`, the commonest classes first. */
export function describeMachineLine(line: MachineLine): string {
  const classes = Object.entries(line.mix)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name, count]) => `${count} ${retold(name)}`);
  const spills = line.spillInstructions > 0 ? t`, ${line.spillInstructions} for spills` : "";
  return `${plural(line.instructions, "machine instruction")} (${classes.join(", ")})${spills}, ${plural(line.staticStallCycles, "stall cycle")}`;
}
